"""`outrider urls` lists what a crawl knows."""

import pytest


def test_it_lists_everything_with_a_total(crawled):
    ran = crawled.run("urls")

    assert ran.code == 0
    assert f"{crawled.origin}/page/1" in ran.out
    assert "1 to 9 of 9 URLs." in ran.out


def test_json_has_rows_and_a_total(crawled):
    found = crawled.run("urls", "--status", "dead", "--json").json

    assert (found["total"], found["is_exact"]) == (2, True)
    assert {line["last_error"] for line in found["urls"]} == {"robots_blocked", "not_found"}


@pytest.mark.parametrize(
    ("options", "paths"),
    [
        (("--error", "robots"), ["/private/x"]),
        (("--search", "/lost"), ["/lost"]),
        (("--status", "alias"), ["/moved"]),
        (("--kind", "robots"), ["/robots.txt"]),
        (("--host", "elsewhere.test"), []),
        (("--origin", "manual"), ["/"]),
    ],
)
def test_filters(crawled, options, paths):
    found = crawled.run("urls", *options, "--json").json

    assert [line["url"].removeprefix(crawled.origin) for line in found["urls"]] == paths


def test_a_dead_one_says_why_and_an_alias_where_it_leads(crawled):
    dead, alias = crawled.run("urls", "--status", "dead").out, crawled.run("urls", "--status", "alias").out

    assert "robots blocked" in dead
    assert f"leads to {crawled.origin}/page/5" in alias


def test_an_unknown_source_is_named(crawled):
    ran = crawled.run("urls", "--source", "nobody")

    assert ran.code == 1
    assert "there is no source 'nobody'" in ran.err


@pytest.mark.parametrize(
    ("earlier", "ours"), [("completed", "fetched"), ("failed", "dead"), ("in_progress", "pending")]
)
def test_names_of_earlier_crawlers_are_understood(crawled, earlier, ours):
    """CON-07."""
    asked, expected = (crawled.run("urls", "--status", name, "--json").json for name in (earlier, ours))

    assert asked["urls"] == expected["urls"]
    assert asked["total"] == expected["total"]
