"""What kind of page the signals speak for."""

import pytest

from outrider.extract.article.page_type import PageType, Signals, page_type

PLAIN = Signals(words=200, links=40, looks_like_article=False)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        pytest.param({"looks_like_article": True, "og_type": "article"}, "article", id="address and og:type"),
        pytest.param(
            {"looks_like_article": True, "types": frozenset({"NewsArticle"})}, "article", id="JSON-LD"
        ),
        pytest.param(
            {"looks_like_article": True, "linked": 0.1, "is_dated": True},
            "article",
            id="address, prose and date",
        ),
        pytest.param(
            {"og_type": "article", "types": frozenset({"BlogPosting"}), "linked": 0.2},
            "article",
            id="short address",
        ),
        pytest.param({"is_home": True, "words": 900, "links": 200}, "listing", id="front page"),
        pytest.param({"linked": 0.8}, "listing", id="mostly links"),
        pytest.param({"types": frozenset({"CollectionPage"})}, "listing", id="says it is a collection"),
        pytest.param({"words": 40, "links": 60}, "listing", id="nothing but links"),
        pytest.param({"og_type": "website"}, "listing", id="a site's page, none of its articles"),
        pytest.param({"words": 10, "links": 2}, "stub", id="next to nothing"),
        pytest.param({"words": 0, "links": 0}, "stub", id="nothing"),
        pytest.param(
            {"words": 30, "links": 9, "looks_like_article": True}, "stub", id="an article cut short"
        ),
        pytest.param({"words": 400, "links": 10}, "other", id="prose, but nothing says article"),
        pytest.param(
            {"is_home": True, "og_type": "article", "words": 600, "linked": 0.1}, "other", id="one-page site"
        ),
    ],
)
def test_page_types(changes, expected):
    """EXT-13."""
    assert page_type(PLAIN._replace(**changes)) is PageType(expected)
