"""Selectors proposed from one article find there what was found without them, or are not proposed."""

from datetime import UTC, datetime
from typing import Any

import pytest

from outrider.extract.recipe.model import Extracted, Method
from outrider.extract.recipe.selectors import Selectors
from outrider.extract.recipe.with_selectors import extract_with
from outrider.watch.propose import propose

NOW = datetime(2026, 5, 2, tzinfo=UTC)
URL = "https://blatt.test/2026/05/01/the-bridge-opens"
TEXT = "".join(
    f"<p>Paragraph {n} says a good deal about the bridge, and about those who cross it each day.</p>"
    for n in range(8)
)
FRAME = (
    "<!doctype html><title>The bridge opens | Das Blatt</title><nav class=menu><a href=/>Home</a></nav>{}"
    "<aside class=related><p>Another story, which is long enough to be taken for a text.</p></aside>"
)


def read(article: str, selectors: dict[str, Any] | None = None) -> Extracted:
    return extract_with(FRAME.format(article).encode(), URL, Selectors.from_json(selectors), now=NOW)


def proposed(article: str) -> dict[str, Any]:
    return propose(FRAME.format(article).encode(), "text/html", read(article), NOW)


SHAPES = {
    "named by classes": (
        "<article><h1 class='headline x9'>The bridge opens</h1><p class=byline>By Ann Example</p>"
        "<time class=date datetime=2026-05-01T10:00:00Z>1 May</time>"
        f"<div class=story-body>{TEXT}</div></article>",
        {
            "title": "h1.headline",
            "body": "div.story-body",
            "author": "p.byline",
            "published_time": "time.date",
        },
    ),
    "named by what surrounds it": (
        f"<main><header><h1>The bridge opens</h1></header><div id=story>{TEXT}</div></main>",
        {"title": "h1", "body": "#story"},
    ),
    "with parts that are none of the text": (
        "<article class=reading><h1>The bridge opens</h1>"
        f"<p class=share>Tell your friends about it</p>{TEXT}</article>",
        {"title": "article.reading h1", "body": "article.reading", "exclude": ["h1", "p.share"]},
    ),
}


@pytest.mark.parametrize(("article", "expected"), SHAPES.values(), ids=SHAPES)
def test_an_article_suggests_how_its_like_are_read(article: str, expected: dict[str, Any]):
    """SRC-15."""
    proposal = proposed(article)

    assert proposal == {"article": expected}
    before, after = read(article), read(article, proposal)
    assert after.method is Method.SELECTOR
    assert (after.page.text, after.page.author, after.page.published_at) == (
        before.page.text,
        before.page.author,
        before.page.published_at,
    )


def test_names_that_change_with_each_page_are_not_proposed():
    assert proposed(f"<div id=s8712><div class=c42>{TEXT}</div></div>") == {}


@pytest.mark.parametrize("page", [b"", b"<h1>Soon</h1>", b"\xff\x00<p"])
def test_where_there_is_no_text_nothing_is_proposed(page: bytes):
    assert propose(page, "text/html", extract_with(page, URL, now=NOW), NOW) == {}
