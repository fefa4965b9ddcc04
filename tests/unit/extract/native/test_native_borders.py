"""Many bytes at once: nothing changes where eight or 64 of them end, or where the page does."""

from itertools import product
from pathlib import Path

import pytest
from tests.fuzz.subjects import CORPUS

from outrider.extract.native.build import NoCompiler, build, compiler
from outrider.extract.native.library import Library, Outcome, Reason
from outrider.extract.scan import MAX_LINKS, reference_scan, scan
from outrider.extract.tree.bounds import trimmed

URL = "https://example.com/articles/a-page"
UTF8 = "text/html; charset=utf-8"
WRITTEN = Path(__file__).parents[4] / "benchmarks" / "pages"

TAGS = (
    '<p class="a">',
    '<p class="a>b">',
    "<p class='a>b'>",
    '<p class=\'a">b\' title="c">',
    "<p title=\"it's\" class='>'>",
    '<p class= "a>b">',
    '<p class=\v"a>b">',
    '<p class=a" b>',
    '<p ="a>b">',
    "<p a=b='c>d'>",
    "<p a=/>",
    "<p a/>",
    "<svg/>",
    "<svg a=/>",
    '<svg a="b"/>',
    '<svg a="b" / ><path/></svg>',
    '<p class=" ">',
    '<p class="">',
    '<p title="<b>" href=/no>',
    "<a title='>' href=/a>",
    '<A HREF="/a?b&amp;c" REL="nofollow">',
    '<script>if (a<b) c="\'"</script>',
    "<!-- <p title='> -->",
)
NAMES = (
    "p nav NAV main aside section article noscript blockquote figcaption foreignobjects x-yyyyyyyyyyyyyyyy h1"
)
TEXTS = (
    "a b",
    " a  b ",
    "\n\t a\n",
    "éa",
    "aé b",
    "漢字 a",
    "a\x01b",
    "a\x1fb",
    "a\xa0b",
    "a&nbsp;b",
    "&",
    "abcdefgh ijk l",
)


def same(page: str) -> bool:
    return scan(page.encode(), URL, UTF8) == reference_scan(page.encode(), URL, UTF8)


def unlike(pages: list[str]) -> list[str]:
    return [page for page in pages if not same(page)]


@pytest.mark.parametrize("tag", TAGS)
def test_a_tag_ends_in_the_same_place_wherever_it_stands(tag: str) -> None:
    places = (*range(50, 70), *range(122, 130))
    whole = [f"{'x' * place}{tag}y<a href=/b>z</a>{'.' * 70}" for place in places]
    long = [tag.replace(" ", f" data-x='{'y' * place}' ", 1) + f"z<a href=/b>{'.' * 70}" for place in places]
    cut = [("w" * 40 + tag)[:end] for end in range(40, 41 + len(tag))]

    assert unlike(whole + long + cut) == []


@pytest.mark.parametrize("behind", [">", "/>", " a>", "\n>", "\v>", "\x01>", "", "<b>"], ids=ascii)
def test_a_name_is_the_same_whatever_its_length(behind: str) -> None:
    pages = [f"a<{name}{behind}b</{name}>c{'.' * rest}" for name in NAMES.split() for rest in (0, 1, 9)]

    assert unlike(pages) == []


@pytest.mark.parametrize("tag", ["p", "pre"])
def test_texts_are_folded_the_same_wherever_they_stand(tag: str) -> None:
    pages = [
        f"<{tag}>{'x' * before}{text}{'y' * between}{other}{end}"
        for text, other, before, between, end in product(
            TEXTS, TEXTS, (0, 1, 5, 7, 8), (0, 3), ("", "<b>z</b>")
        )
    ]

    assert unlike(pages) == []


@pytest.mark.parametrize("separator", [" a", "/a", ' a="<>"'])
@pytest.mark.parametrize("quote", ["", "'>' ", '"<p>" '])
def test_crowded_tags_of_any_length_are_taken_out_as_in_the_reference(separator: str, quote: str) -> None:
    crowd = separator * 2060
    for length in (16_382, 16_383, 16_384, 16_385, 20_000):
        start = f"<a {f'title={quote}' if quote else ''}href=/a{crowd}"
        tag = f"{start} x='{'y' * max(0, length - len(start) - 6)}'>"
        assert same(f"{'x' * 66_000}{tag}text</a><p>more")


def test_a_doubtful_page_says_what_to_look_for(library: Library) -> None:
    crowded = b"<a " + b"x " * 9000 + b"href=/crowded>y</a>"
    varied = b"<p>" + b"".join(b'<i class="%d">x</i>' % n for n in range(800))

    found = [library.scan(page, MAX_LINKS) for page in (crowded, varied, b"<" * 400_000)]

    assert {each.outcome for each in found} == {Outcome.CHECK_BOUNDS}
    assert [each.reason for each in found] == [Reason.CROWDED, Reason.USUAL, Reason.CROWDED]
    assert trimmed(crowded, may_be_crowded=False)[0] == crowded
    assert trimmed(crowded)[0] != crowded
    assert trimmed(varied, may_be_crowded=False) == trimmed(varied)


@pytest.mark.parametrize("attributes", ["", " a=1", " a=1 b=2", ' title="long, and the same each time"'])
def test_formatting_alike_is_repeated_three_times_as_in_the_reference(attributes: str) -> None:
    alike = f"<b{attributes}>" * 5
    page = f"<pre>{alike}a<div>\nb</b>\n</b></b><p>c</p><b{attributes} c>d</div>\n</b>e</pre><p>\nf"

    assert same(page)
    assert same(page.replace("<b>", "<B >"))


def test_a_meta_counts_under_each_of_its_names() -> None:
    meta = '<meta name=description property=og:description itemprop=a content="said &amp; done">'
    page = (
        f"<meta name=robots content=''><meta name='' content=x><meta content=noindex name=' ROBOTS '>{meta}"
    )

    read = scan(page.encode(), URL, UTF8)

    assert (read.noindex, read.description) == (True, "said & done")
    assert same(page)


def test_without_sse2_every_page_is_read_the_same(library: Library, tmp_path: Path) -> None:
    try:
        build(tmp_path / "plain.so", (*compiler(), "-DOUTRIDER_WITHOUT_SSE2"))
    except NoCompiler:
        pytest.skip("there is no C compiler")
    plain = Library(tmp_path / "plain.so")
    pages = [*WRITTEN.glob("*.html"), *(CORPUS / "native").iterdir(), *(CORPUS / "pages").iterdir()]
    bodies = [
        *(page.read_bytes() for page in pages),
        *(f"{'x' * n}{tag}".encode() for tag in TAGS for n in range(70)),
    ]

    assert [body for body in bodies if plain.scan(body, MAX_LINKS) != library.scan(body, MAX_LINKS)] == []
