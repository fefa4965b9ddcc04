"""Names that other people's checks and scripts hold on to."""

import inspect
from dataclasses import fields

import pytest

from outrider import extract, feeds, fetch, robots, urls


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        (
            extract.Page,
            "title description text links canonical_url language published_at author json_ld open_graph "
            "content_hash signature",
        ),
        (feeds.Feed, "title link description language author updated_at entries"),
        (
            feeds.FeedEntry,
            "url title id author summary content published_at updated_at categories enclosures",
        ),
        (feeds.Sitemap, "kind entries"),
    ],
)
def test_a_result_has_the_names_that_are_promised(kind, names):
    assert set(names.split()) <= {each.name for each in fields(kind)}


@pytest.mark.parametrize(
    ("function", "parameters"),
    [
        (urls.normalize, ["url", "base"]),
        (urls.url_hash, ["normalized"]),
        (urls.registrable_domain, ["host"]),
        (robots.Robots.parse, ["body"]),
        (robots.Robots.for_status, ["code"]),
        (fetch.permits, ["url", "addresses"]),
        (extract.extract, ["body", "url", "content_type"]),
        (extract.charset, ["body", "content_type"]),
        (extract.signature, ["text"]),
        (feeds.parse_feed, ["body", "url", "content_type"]),
        (feeds.parse_sitemap, ["body", "url", "content_type"]),
    ],
)
def test_a_function_takes_what_is_promised(function, parameters):
    assert list(inspect.signature(function).parameters)[: len(parameters)] == parameters


def test_robots_answer_what_is_promised():
    rules = robots.Robots.parse(b"User-agent: *\nDisallow: /x\nCrawl-delay: 2\nSitemap: http://a.test/s\n")

    assert (rules.allows("outrider", "http://a.test/x"), rules.crawl_delay("outrider")) == (False, 2.0)
    assert list(rules.sitemaps) == ["http://a.test/s"]
    assert extract.near_duplicates(extract.signature("a b c"), extract.signature("a b c")) in (True, False)
