"""Which URLs a crawl covers, for every kind of scope, and the sentence that says why not."""

import pytest

from outrider.errors import InvalidInput
from outrider.sources.scope import Scope, ScopeKind

HOST, DOMAIN, PREFIX, ANY = ScopeKind.HOST, ScopeKind.DOMAIN, ScopeKind.PREFIX, ScopeKind.ANY


@pytest.mark.parametrize(
    ("kind", "seed", "url", "admitted"),
    [
        (HOST, "https://example.org/", "https://example.org/a", True),
        (HOST, "https://example.org/", "http://example.org/a", True),
        (HOST, "https://example.org/", "https://www.example.org/a", True),
        (HOST, "https://www.example.org/", "https://example.org/a", True),
        (HOST, "https://www.example.org/", "https://blog.example.org/", False),
        (HOST, "https://example.org/", "https://example.org.evil.net/", False),
        (HOST, "https://example.org/", "https://notexample.org/", False),
        (HOST, "http://127.0.0.1:8000/", "http://127.0.0.1:8000/x", True),
        (HOST, "http://127.0.0.1:8000/", "http://127.0.0.2:8000/x", False),
        (HOST, "http://[::1]:8000/", "http://[::1]:8000/x", True),
        (DOMAIN, "https://www.example.co.uk/", "https://news.example.co.uk/", True),
        (DOMAIN, "https://www.example.co.uk/", "https://a.b.example.co.uk/", True),
        (DOMAIN, "https://www.example.co.uk/", "https://other.co.uk/", False),
        (DOMAIN, "https://www.example.co.uk/", "https://badexample.co.uk/", False),
        (DOMAIN, "https://alice.github.io/", "https://bob.github.io/", False),
        (DOMAIN, "http://a.site1.test/", "http://b.site1.test/", True),
        (DOMAIN, "http://a.site1.test/", "http://b.site2.test/", False),
        (DOMAIN, "http://127.0.0.1/", "http://127.0.0.1/x", True),
        (DOMAIN, "http://localhost/", "http://otherhost/", False),
        (PREFIX, "https://example.org/docs", "https://example.org/docs", True),
        (PREFIX, "https://example.org/docs", "https://example.org/docs/a/b", True),
        (PREFIX, "https://example.org/docs", "https://www.example.org/docs/a", True),
        (PREFIX, "https://example.org/docs", "https://example.org/docs?x=1", True),
        (PREFIX, "https://example.org/docs", "https://example.org/docs-old/a", False),
        (PREFIX, "https://example.org/docs", "https://example.org/", False),
        (PREFIX, "https://example.org/docs", "https://example.net/docs/a", False),
        (PREFIX, "https://example.org/docs/", "https://example.org/docs/a", True),
        (PREFIX, "https://example.org/docs/index.html", "https://example.org/docs/b.html", True),
        (PREFIX, "https://example.org/docs/index.html", "https://example.org/blog/b.html", False),
        (PREFIX, "https://example.org/", "https://example.org/anything", True),
        (ANY, "https://example.org/", "https://elsewhere.net/", True),
    ],
)
def test_a_scope_covers_what_is_near_its_seed(kind, seed, url, admitted):
    scope = Scope.of(kind, [seed])

    assert scope.admits(url) is admitted
    assert (scope.refusal(url) is None) is admitted


@pytest.mark.parametrize(
    ("allowed", "url", "admitted"),
    [
        (["partner.net"], "https://partner.net/a", True),
        (["partner.net"], "https://www.partner.net/a", True),
        (["www.partner.net"], "https://partner.net/a", True),
        (["partner.net"], "https://blog.partner.net/a", False),
        (["partner.net"], "https://notpartner.net/a", False),
        (["*.partner.net"], "https://blog.partner.net/a", True),
        (["*.partner.net"], "https://a.b.partner.net/a", True),
        (["*.partner.net"], "https://partner.net/a", False),
        (["*.partner.net"], "https://evilpartner.net/a", False),
        (["*.MÜNCHEN.de", "x.org"], "https://www.xn--mnchen-3ya.de/", True),
        ([], "https://partner.net/a", False),
    ],
)
def test_domains_that_are_allowed_belong_besides_those_of_the_seeds(allowed, url, admitted):
    scope = Scope.of(HOST, ["https://example.org/"], allowed_domains=allowed)

    assert scope.admits(url) is admitted
    assert (scope.refusal(url) is None) is admitted
    assert scope.admits("https://example.org/a")


def test_a_barred_domain_does_not_belong_whatever_else_allows_it():
    scope = Scope.of(
        DOMAIN,
        ["https://example.org/"],
        allowed_domains=["*.example.org"],
        barred_domains=["shop.example.org"],
    )

    assert scope.admits("https://news.example.org/")
    assert not scope.admits("https://shop.example.org/")
    assert scope.refusal("https://shop.example.org/a") == "on shop.example.org, which is not allowed"


@pytest.mark.parametrize(
    "pattern", ["", "*", "*.", "http://x.org", "x.org/a", "x.org:80", "a.*.org", "a@b.org"]
)
def test_what_is_no_domain_is_refused(pattern):
    with pytest.raises(InvalidInput, match=r"is no domain: write example\.com"):
        Scope.of(HOST, ["https://example.org/"], allowed_domains=[pattern])


def test_several_seeds_are_covered_together():
    scope = Scope.of(HOST, ["https://a.org/", "https://b.org/"])

    assert scope.admits("https://a.org/x")
    assert scope.admits("https://b.org/x")
    assert not scope.admits("https://c.org/x")


def test_exclude_wins_over_include_and_over_seeds():
    scope = Scope.of(HOST, ["https://a.org/news"], include=["/news"], exclude=[r"\?print", "news$"])

    assert scope.admits("https://a.org/news/1")
    assert not scope.admits("https://a.org/news/1?print=1")
    assert not scope.admits("https://a.org/news")


def test_a_seed_needs_no_include_pattern_to_be_fetched():
    scope = Scope.of(HOST, ["https://a.org/"], include=["/articles/"])

    assert scope.admits("https://a.org/")
    assert not scope.admits("https://a.org/other")


@pytest.mark.parametrize(
    ("scope", "url", "sentence"),
    [
        (
            Scope.of(HOST, ["http://127.0.0.1/"]),
            "https://x.org/a",
            "outside scope: host is x.org, the crawl covers 127.0.0.1",
        ),
        (
            Scope.of(DOMAIN, [f"https://{name}.org/" for name in "abcde"]),
            "https://x.org/a",
            "outside scope: host is x.org, the crawl covers a.org, b.org, c.org and 2 more",
        ),
        (
            Scope.of(PREFIX, ["https://y.org/docs"]),
            "https://y.org/blog/1",
            "outside scope: path is /blog/1, the crawl covers /docs/ on y.org",
        ),
        (Scope.of(ANY, [], exclude=["print"]), "https://x.org/print", "excluded by the pattern 'print'"),
        (
            Scope.of(ANY, [], include=["/a/", "/b/"]),
            "https://x.org/c",
            "matched by none of the include patterns '/a/', '/b/'",
        ),
    ],
)
def test_a_refusal_names_its_reason(scope, url, sentence):
    assert scope.refusal(url) == sentence


def test_a_bad_pattern_is_invalid_input():
    with pytest.raises(InvalidInput, match="not valid"):
        Scope.of(HOST, ["https://a.org/"], include=["("])
