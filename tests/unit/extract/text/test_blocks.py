"""A page as blocks of text."""

import pytest

from outrider.extract.text.blocks import Outline, outline
from outrider.extract.text.hints import RegionRole
from outrider.extract.tree.parse import parse


def outline_of(html: str) -> Outline:
    body = parse(html.encode()).body
    assert body is not None
    return outline(body)


@pytest.mark.parametrize(
    ("html", "texts"),
    [
        pytest.param("<p>one</p><p>two</p>", ["one", "two"], id="paragraphs"),
        pytest.param("<p>so <b>very</b>\n  <i>fine</i></p>", ["so very fine"], id="styled text is one piece"),
        pytest.param(
            "<div>before<p>inside</p>after</div>", ["before", "inside", "after"], id="text around a block"
        ),
        pytest.param("<p>a<br>b</p>", ["a b"], id="a line break separates words"),
        pytest.param(
            "<pre>  x = 1\n  y = 2  \n</pre>", ["  x = 1\n  y = 2"], id="preformatted text keeps its lines"
        ),
        pytest.param(
            "<p>a</p><script>b</script><style>c</style><noscript>d</noscript>", ["a"], id="what nobody reads"
        ),
        pytest.param("<p>soft\u00adhy\u200bphen</p>", ["softhyphen"], id="what cannot be seen"),
        pytest.param("<p>Read <a class=btn href=x>Buy now</a></p>", ["Read"], id="a button is no text"),
        pytest.param("<div id=onetrust-banner-sdk><p>We use cookies</div><p>a", ["a"], id="a cookie banner"),
        pytest.param("<p> \n </p><div></div>", [], id="nothing"),
    ],
)
def test_blocks_are_what_a_reader_sees_as_pieces(html: str, texts: list[str]) -> None:
    assert [block.text for block in outline_of(html).blocks] == texts


def test_a_block_knows_how_much_of_it_is_links() -> None:
    (block,) = outline_of("<p>1234<a href=x>5678</a></p>").blocks

    assert block.linked == 0.5


def test_a_block_weighs_what_it_says_and_not_how_many_letters_that_takes() -> None:
    latin, chinese = outline_of("<p>water</p><p>水水水水水</p>").blocks

    assert (latin.size, chinese.size) == (5, 15)


def test_a_region_holds_the_blocks_between_its_tags() -> None:
    page = outline_of("<p>a</p><section><p>b</p><p>c</p></section><p>d</p>")

    held = {region.tag: (region.start, region.end) for region in page.regions}

    assert held["section"] == (1, 3)
    assert held["body"] == (0, 4)


def test_what_is_hidden_is_secondary() -> None:
    page = outline_of("<div hidden>a</div><div style='display: none'>b</div><div aria-hidden=true>c</div>")

    assert [region.role for region in page.regions[1:]] == [RegionRole.SECONDARY] * 3


def test_what_is_hidden_until_a_reader_opens_it_has_a_look_and_no_purpose() -> None:
    page = outline_of("<div hidden class=accordion-panel>a</div><div aria-hidden=true id=faq-3>b</div>")

    assert [region.role for region in page.regions[1:]] == [RegionRole.PRESENTATION] * 2


def test_the_links_that_begin_in_a_block_are_counted() -> None:
    page = outline_of("<a href=1><p>Lamp</p><p>12 kg</p></a><p><a href=2>One</a> <a href=3>Two</a></p>")

    assert [block.links for block in page.blocks] == [1, 0, 2]


def test_what_a_page_shows_without_scripts_is_read_on_demand() -> None:
    body = parse(b"<p>Loading</p><noscript><p>Bread</p></noscript>").body
    assert body is not None

    assert [block.text for block in outline(body).blocks] == ["Loading"]
    assert [block.text for block in outline(body, without_scripts=True).blocks] == ["Loading", "Bread"]


def test_the_id_of_a_section_is_its_heading_and_not_its_purpose() -> None:
    page = outline_of("<section id=cookies><h2>Cookies</h2></section><div id=cookies>x</div>")

    assert [region.role for region in page.regions if region.tag in ("section", "div")] == [
        RegionRole.PLAIN,
        RegionRole.BOILERPLATE,
    ]


def test_microdata_types_are_noted() -> None:
    assert outline_of("<div itemscope itemtype='https://schema.org/Product'>x</div>").types == {"Product"}
