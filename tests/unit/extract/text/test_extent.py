"""Articles that are more, or less, than the region with most of the text."""

from outrider.extract.text.main_text import main_text
from outrider.extract.tree.parse import parse

SENTENCE = "The mill stood still for eleven years, and when its wheel turned again nobody expected it. "
ADVERTISEMENT = "<ul><li><a href=1>Flour for less</a><li><a href=2>Millstones, as good as new</a></ul>"


def said(first_word: str) -> str:
    return f"{first_word}. {SENTENCE * 4}".strip()


def lines_of(html: str) -> list[str]:
    return main_text(parse(html.encode())).split("\n")


def article(headline: str) -> str:
    return f"<article><h1>{headline}</h1><div class=article-body><p>{said(headline)}</div></article>"


def endless(title: str, kind: str = "article") -> str:
    return f"""<title>{title} | The Post</title><meta property=og:type content={kind}>
        {article("The first of our stories")}{article("The second of our stories")}
        {article("The third of our stories")}"""


def test_a_page_that_goes_on_with_other_articles_is_the_one_it_is_called_by() -> None:
    assert lines_of(endless("The second of our stories")) == [said("The second of our stories")]


def test_a_page_called_by_none_of_its_articles_is_all_of_them() -> None:
    assert len([line for line in lines_of(endless("All stories", "website")) if len(line) > 80]) == 3


def test_an_article_cut_in_two_is_whole() -> None:
    page = f"""<main><div class=story-body><div class=text><p>{said("One")}</div></div>
        <div class=links>{ADVERTISEMENT * 4}</div>
        <div class=story-body><div class=text><p>{said("Two") * 3}</div></div></main>"""

    assert lines_of(page) == [said("One"), said("Two") * 3]


def test_a_paragraph_between_headline_and_body_is_its_beginning() -> None:
    page = f"""<h1>The mill</h1><div><p>{said("One")}</p></div><div>By Ann</div>
        <div class=links>{ADVERTISEMENT * 4}</div><div class=article-body><p>{said("Two") * 3}</div>"""

    assert lines_of(page) == [said("One"), said("Two") * 3]


def test_a_summary_there_is_not() -> None:
    page = f"""<h1>The mill</h1><div><p>{SENTENCE}</p></div>
        <div class=links>{ADVERTISEMENT * 4}</div><div class=article-body><p>{said("Two") * 3}</div>"""

    assert lines_of(page) == [said("Two") * 3]
