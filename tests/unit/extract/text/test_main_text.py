"""Main text: what is kept, what is left out, on pages of every kind."""

import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from outrider.extract.text.main_text import main_text
from outrider.extract.tree.parse import parse

PAGES = sorted((Path(__file__).parents[4] / "benchmarks" / "pages").glob("*.html"))
PROSE = (
    "The mill stood still for eleven years, and when its wheel turned again nobody expected the noise. ",
    "Its owner, who had learned the trade from a book, let the water in at dawn, before anyone rose. ",
    "By noon there was flour on every sill of the street, and by evening there was bread, grey and sour. ",
    "Since then people come on Saturdays to buy it, more out of curiosity than hunger, but they come back. ",
)
ARTICLE = "".join(f"<p>{sentence * 2}</p>" for sentence in PROSE)


def text_of(html: str, url: str = "") -> str:
    return main_text(parse(html.encode()), url)


def words(text: str) -> Counter[str]:
    return Counter(re.findall(r"\w+", text.lower()))


def marked(html: str) -> str:
    """What a page of ours marks as its main content."""
    tree = LexborHTMLParser(html)
    for node in tree.css("[data-aside]"):
        node.decompose()
    return "\n".join(node.text(separator=" ") for node in tree.css("[data-main]"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_content_of_every_kind_of_page_is_found(page: Path) -> None:
    html = page.read_text()
    truth, said = words(marked(html)), words(text_of(html))

    shared = (truth & said).total()

    assert 2 * shared / (truth.total() + said.total()) > 0.85


@pytest.mark.parametrize(
    "around",
    [
        pytest.param("<div class=wrapper>{}</div>", id="a wrapper"),
        pytest.param("<main><article class=post>{}</article></main>", id="semantic tags"),
        pytest.param(
            "<div class='page has-sidebar off-canvas-wrap'>{}</div>", id="a layout named like boilerplate"
        ),
        pytest.param("<form id=aspnetForm>{}</form>", id="a form around everything"),
        pytest.param("<table><tr><td>{}</td></tr></table>", id="a layout table"),
        pytest.param("<aside>{}</aside>", id="an aside that is all there is"),
        pytest.param("<div style='display:none'>{}</div>", id="a page shown by its script"),
        pytest.param("<my-app><my-page>{}</my-page></my-app>", id="elements of its own"),
    ],
)
def test_an_article_is_found_wherever_it_stands(around: str) -> None:
    page = (
        f"<nav><a href=/>Home</a> <a href=/x>News</a></nav>{around.format(ARTICLE)}<footer>Imprint</footer>"
    )

    assert text_of(page).split() == "".join(sentence * 2 for sentence in PROSE).split()


@pytest.mark.parametrize(
    "noise",
    [
        pytest.param("<nav>NOISE</nav>", id="navigation"),
        pytest.param("<div class=breadcrumbs>NOISE</div>", id="breadcrumbs"),
        pytest.param("<ul class=share-buttons><li>NOISE</ul>", id="share buttons"),
        pytest.param("<div class=related-posts><p>NOISE</div>", id="related posts"),
        pytest.param("<div class=newsletter-signup><p>NOISE</div>", id="a newsletter"),
        pytest.param(
            "<section class=comments><p>NOISE, says a reader who did not agree with it.</section>",
            id="comments",
        ),
        pytest.param("<div class=author-bio><p>NOISE</div>", id="the author's life"),
        pytest.param("<figure><figcaption>NOISE</figcaption></figure>", id="a caption"),
        pytest.param("<p>Advertisement NOISE</p>", id="an interruption"),
        pytest.param("<ul><li><a href=1>NOISE one</a><li><a href=2>NOISE two</a></ul>", id="a list of links"),
        pytest.param("<div class=byline>By NOISE</div>", id="a byline"),
        pytest.param("<div class=cookie-consent><p>NOISE</div>", id="a cookie banner"),
        pytest.param("<script>NOISE</script>", id="a script"),
        pytest.param(
            "<div><article><p>NOISE is the beginning of another one.</article>"
            "<article><p>NOISE is the beginning of the next.</article></div>",
            id="other articles",
        ),
    ],
)
@pytest.mark.parametrize("place", ["before", "within", "after"])
def test_what_surrounds_an_article_is_left_out(noise: str, place: str) -> None:
    first, rest = ARTICLE.split("</p>", 1)
    inside = noise if place == "within" else ""
    page = f"<article>{first}</p>{inside}{rest}</article>"

    text = text_of({"before": noise + page, "within": page, "after": page + noise}[place])

    assert "NOISE" not in text
    assert "let the water in at dawn" in text


def test_headings_lists_tables_quotes_and_code_stay_and_the_title_goes() -> None:
    page = f"""<article><h1>The mill</h1>{ARTICLE}<h2>How it works</h2><ul><li>Water</li><li>Wheel</li></ul>
        <table><tr><td>Stones</td><td>two</td></tr></table><blockquote>It sings.</blockquote>
        <pre>turn(\n  wheel)</pre><p>{PROSE[0]}</p></article>"""

    lines = text_of(page).split("\n")

    assert [line for line in lines if len(line) < 30] == [
        "How it works",
        "Water",
        "Wheel",
        "Stones",
        "two",
        "It sings.",
        "turn(",
        "  wheel)",
    ]


def test_most_of_an_article_may_stand_behind_a_button_for_more() -> None:
    first, rest = ARTICLE.split("</p>", 1)
    other = f"<div class=article-body><p>{PROSE[0] * 2}</p></div>"
    page = f"<div class=article-body>{first}</p><div class=read-more>{rest}</div></div><ul><li>{other}</ul>"

    assert "more out of curiosity than hunger" in text_of(page)


def test_a_table_of_facts_keeps_the_rows_whose_names_are_links() -> None:
    rows = "".join(
        f"<tr><td><a href={name}>The mill of {name} at the river</a><td>12 t</tr>" for name in ("Aa", "Bo")
    )
    page = (
        f"<article>{ARTICLE}<table><tr><th>Mill</th><th>Flour</th></tr>{rows}</table><p>{PROSE[0]}</article>"
    )

    assert [line for line in text_of(page).split("\n") if len(line) < 60] == [
        *("Mill", "Flour", "The mill of Aa at the river", "12 t", "The mill of Bo at the river", "12 t")
    ]


def test_a_heading_is_not_judged_by_an_id_made_from_its_words() -> None:
    page = f"<article>{ARTICLE}<h2 id=related-costs>Related costs</h2><p>{PROSE[0]}</p></article>"

    assert "Related costs" in text_of(page)


def test_a_list_at_the_end_keeps_the_heading_above_it() -> None:
    page = (
        f"<article>{ARTICLE}<h2>What you need</h2><ul><li>Water<li>A wheel</ul><h2>Newsletter</h2></article>"
    )

    assert text_of(page).split("\n")[-3:] == ["What you need", "Water", "A wheel"]


def test_code_at_the_beginning_is_text_and_so_are_tabs_nobody_turned_to() -> None:
    page = f"""<main><h1>grind</h1><pre>grind [--fine] SACK</pre>{ARTICLE}<div role=tabpanel>By hand</div>
        <div role=tabpanel hidden><p>By water</p></div><p>{PROSE[0]}</p></main>"""

    lines = text_of(page).split("\n")

    assert lines[0] == "grind [--fine] SACK"
    assert {"By hand", "By water"} <= set(lines)


def test_a_list_that_calls_itself_the_body_counts_with_its_introduction() -> None:
    links = "".join(
        f"<p><a href={n}>A millstone of the {n}th kind, for less than ever</a></p>" for n in range(30)
    )
    page = f"""<meta property=og:type content=article>
        <div class=entry-content><div><p>{PROSE[0]}</p></div><div>{links}</div></div>"""

    assert text_of(page).count("millstone") == 30


def test_the_parts_of_a_recipe_are_found_where_they_stand_side_by_side() -> None:
    page = f"""<script type="application/ld+json">{{"@type": "Recipe"}}</script><nav><a href=/>Home</a></nav>
        <main><h1>Grey bread</h1><section class=card><ul><li>2 cups flour<li>1 cup water</ul></section>
        <section><ol>{"".join(f"<li>{sentence}" for sentence in PROSE)}</ol></section></main>"""

    lines = text_of(page).split("\n")

    assert lines[:2] == ["2 cups flour", "1 cup water"]
    assert len(lines) == 6


def test_the_answers_of_a_thread_are_its_content() -> None:
    posts = "".join(f"<li class=comment><p>{sentence}</p></li>" for sentence in PROSE)
    page = f"<h1>Old mills</h1><ol class=comment-list>{posts}</ol>"

    assert text_of(page).count("\n") >= 3


def test_comments_count_where_the_address_says_that_the_page_is_a_thread() -> None:
    page = f"<article>{ARTICLE}</article><div class=comments><p>{PROSE[0]} So it was.</p></div>"

    assert "So it was" not in text_of(page, "https://a.example/news/mill")
    assert "So it was" in text_of(page, "https://a.example/forum/mill")


@pytest.mark.parametrize(
    "html", ["", " ", "<html>", "<frameset><frame src=x></frameset>", "<script>x</script>", "\0"]
)
def test_a_page_without_text_has_none(html: str) -> None:
    assert text_of(html) == ""


def test_nesting_deeper_than_the_stack_is_no_matter() -> None:
    tree = LexborHTMLParser("<x-y>" * 50_000 + PROSE[0])

    assert main_text(tree) == PROSE[0].strip()


FRAGMENTS = st.sampled_from(
    [
        *(
            "<div class=footer>",
            "</div>",
            "<p>",
            "Some text, and more of it.",
            "<a href=x>",
            "</a>",
            "<article>",
        ),
        *(
            "<main>",
            "<form>",
            "<table>",
            "<td>",
            "<pre>",
            "\n",
            "<!--",
            "-->",
            "<br>",
            "<h1>",
            "<li>",
            "漢字",
        ),
        *(
            "<script>",
            "</script>",
            "<svg>",
            "<b",
            '=">',
            "<template>",
            "<div hidden>",
            "<x-y>",
            "<p class=card>",
        ),
    ]
)


@settings(max_examples=150)
@given(st.lists(FRAGMENTS | st.text(), max_size=60).map("".join))
def test_any_markup_has_a_text(html: str) -> None:
    text = main_text(parse(html.encode("utf-8", "replace")), "https://a.example/forum/")

    assert all(line.strip() for line in text.split("\n")) or "<pre" in html or text == ""
