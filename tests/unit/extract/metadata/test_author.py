"""Who wrote a page."""

import pytest

from outrider.extract import extract


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        pytest.param("<meta name=author content='Ann Lee'>", "Ann Lee", id="as meta says"),
        pytest.param(
            "<meta property=article:author content=https://social.test/ann>"
            "<meta name=byl content='By Ann Lee'>",
            "Ann Lee",
            id="an address is no name, and By no part of one",
        ),
        pytest.param(
            "<meta name=citation_author content='Lee, A.'><meta name=citation_author content='Ray, B.'>",
            "Lee, A., Ray, B.",
            id="several",
        ),
        pytest.param(
            '<script type="application/ld+json">{"@type": "Article", "author": [{"name": "Ann"}, "Ben"]}',
            "Ann, Ben",
            id="as JSON-LD says",
        ),
        pytest.param(
            '<script type="application/ld+json">{"@type": "Product", "author": "Ann"}</script>',
            None,
            id="but not of another thing",
        ),
        pytest.param("<a rel=author href=/ann>Ann <b>Lee</b></a>", "Ann Lee", id="as a link says"),
        pytest.param("<p class=byline>by  Ann Lee</p>", "Ann Lee", id="as the byline says"),
        pytest.param("<p class=author>" + "many words " * 20, None, id="a paragraph is no name"),
        pytest.param("<p>Ann", None, id="nobody says"),
    ],
)
def test_the_author(html, expected):
    assert extract(html.encode(), "https://example.com/a").author == expected
