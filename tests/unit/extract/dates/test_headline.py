"""Dates told in a few words at the headline."""

from datetime import UTC, datetime

import pytest

from outrider.extract.dates.headline import date_at_headline
from outrider.extract.parsed_page import ParsedPage

NOW = datetime(2026, 1, 10, tzinfo=UTC)


def day_of(html):
    date = date_at_headline(ParsedPage.of(html.encode(), "https://example.com/a", None), NOW)
    return date.date().isoformat() if date else None


@pytest.mark.parametrize(
    "html",
    [
        pytest.param("<div><h1>T</h1><div>By Ann | 17.05.2024 09:54</div></div>", id="below"),
        pytest.param("<div><p>Friday, May 17, 2024</p><h1>T</h1></div>", id="above"),
        pytest.param(
            "<main><header><h1>T</h1></header><section><p>May 17, 2024 · 3 comments</p></section></main>",
            id="beside what holds it",
        ),
        pytest.param("<main><h1>T</h1><p>2024年5月17日 来源：x</p></main>", id="in Chinese"),
        pytest.param(
            "<title>A long story | Site</title><main><h1>Site</h1><p>Jan 1, 2024</p></main>"
            "<article><h2>A long story</h2><p>May 17, 2024</p></article>",
            id="at the heading that the page is called by",
        ),
        pytest.param(
            "<title>The mill turns again | Site</title><main><h1>Site</h1><p>Jan 1, 2024</p></main>"
            "<article><h1>The mill turns again <b>Subscribers</b></h1><p>May 17, 2024</p></article>",
            id="at a heading with a label in it",
        ),
        pytest.param(
            "<main><h1>T</h1><p>May 17, 2024</p><p>Last revised: June 1, 2024</p></main>", id="not a revision"
        ),
        pytest.param("<main><h1>T</h1><p>17 May 2024 Blog: Of mills and men...</p></main>", id="cut short"),
        pytest.param(
            "<section><h1>T</h1></section><div class=info><div class=pub-date>May 17, 2024</div></div>",
            id="elsewhere, where it says that it is one",
        ),
        pytest.param(
            "<title>Of mills and their men | Site</title>"
            "<article><h3>Of mills and their men</h3><p>May 17, 2024</p></article>"
            "<article><h3>Re: Of mills and their men</h3><p>Jan 1, 2025</p></article>",
            id="not at a reply that repeats the title",
        ),
        pytest.param(
            f"<main><header><h1>T</h1><p><time class=dt>May 17, 2024</time>{'mills ' * 30}</p></header><ul>"
            + "".join(f"<li><b><i><time class=dt>Jan {n}, 2025</time></i></b></li>" for n in range(1, 9))
            + "</ul></main>",
            id="the nearest of those that look the same",
        ),
        pytest.param(
            "<section><h1>T</h1></section><p class=sidebar><b>Published</b><time>17 May 2024</time></p>",
            id="in a column, with a label",
        ),
        pytest.param(
            "<div><h1>T</h1><div><p>" + "Of mills and men. " * 9 + "</p><div>"
            "<i>By</i> <i>Ann</i> | <i>6</i> mins | <i>May 17, 2024</i>"
            "</div></div></div><p>Text</p>",
            id="alone, below the headline",
        ),
        pytest.param(
            "<main><h1>T</h1><div class=node-promoted><p class=date>May 17, 2024</p></div></main>",
            id="promoted to the front page",
        ),
        pytest.param(
            "<title>Site: Of mills and their men</title>"
            "<meta property=og:title content='Of mills and their men'>"
            "<h1>Site: Of mills</h1><p>Jan 1, 2024</p>"
            "<div><h2 class=date>May 17, 2024</h2><article><h3>Of mills and their men</h3></article></div>",
            id="at an h3 that has the title of the page",
        ),
        pytest.param(
            "<div><p role=heading aria-level=1>T</p><p>May 17, 2024</p></div>", id="at an ARIA heading"
        ),
    ],
)
def test_a_few_words_at_the_headline_may_tell(html):
    assert day_of(html) == "2024-05-17"


@pytest.mark.parametrize(
    "html",
    [
        pytest.param("<p>Teaser, May 1, 2024</p><p>Teaser, May 2, 2024</p>", id="a list"),
        pytest.param("<p>From May 1, 2024 until June 1, 2024</p>", id="a time to come"),
        pytest.param("<p>May 1, 2024 to May 1, 2025</p>", id="a span"),
        pytest.param("<p class=event-info>May 1, 2024</p>", id="an event"),
        pytest.param("<p>Effective May 1, 2024</p>", id="terms"),
        pytest.param("<p>#1 Comment by Ann May 1, 2024</p>", id="a comment"),
        pytest.param(f"<p>May 1, 2024 {'and much more ' * 20}</p>", id="a paragraph"),
        pytest.param("<nav>May 1, 2024</nav>", id="a way around"),
        pytest.param("<p>Last updated <time>May 1, 2024</time></p>", id="an update with its label"),
        pytest.param("<div><b>Updated on</b> <b>May 1, 2024</b></div>", id="an update with its label before"),
        pytest.param("<p>Release: 2.0 | Release Date: May 1, 2024</p>", id="a release of software"),
        pytest.param(
            "<div><b>Release date:</b> <b class=date>May 1, 2024</b></div>", id="the release of a game"
        ),
        pytest.param("<p>Wed, 1 May 2024 Thu, 2 May 2024 Fri, 3 May 2024</p>", id="several days"),
        pytest.param(
            "<a href=/b><div>The mill turns again, and the miller is glad of it, they say</div>"
            "<time>May 1, 2024</time></a>",
            id="a link that shows another page",
        ),
        pytest.param(
            "<p>Valid through <!-- --> <b>May 1, 2024</b> <!-- -->" + "and more " * 20, id="a sentence"
        ),
        pytest.param("<h2>News</h2><div><div><i>May 1, 2024</i></div></div>", id="the next heading's"),
    ],
)
def test_other_words_at_the_headline_tell_nothing(html):
    assert day_of(f"<main><h1>T</h1>{html}</main>") is None
