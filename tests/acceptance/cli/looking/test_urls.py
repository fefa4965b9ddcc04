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


@pytest.mark.parametrize("sort", ["priority", "key"])
def test_a_list_is_read_page_by_page_with_its_cursor(crawled, sort):
    whole = crawled.run("urls", "--sort", sort, "--json").json
    pages, after = [], "start"
    while after is not None:
        page = crawled.run("urls", "--sort", sort, "--limit", "4", "--after", after, "--json").json
        pages.append([line["url"] for line in page["urls"]])
        after = page["next"]

    assert whole["next"] is None
    assert [len(page) for page in pages[:-1]] == [4] * (len(pages) - 1)
    assert [url for page in pages for url in page] == [line["url"] for line in whole["urls"]]


def test_a_wrong_cursor_is_wrong_usage(crawled):
    cursor = crawled.run("urls", "--limit", "1", "--json").json["next"]

    other = crawled.run("urls", "--sort", "next", "--after", cursor)
    broken = crawled.run("urls", "--after", cursor[:-2])
    follows = crawled.run("urls", "--limit", "1", "--after", cursor)

    assert (other.code, broken.code, follows.code) == (2, 2, 0)
    assert "made for another list or order" in other.err
    assert "the cursor cannot be read" in broken.err
    assert "\n1 of " in follows.out
