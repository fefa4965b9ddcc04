"""`outrider crawl` on a site that is watched: both are served, and each reports what is its own."""

from collections.abc import Iterator
from functools import partial

import pytest
from tests.support.command import outrider, outrider_here
from tests.support.site import Plan, Site

PAGES = 12
ONE = ("--workers", "1")


@pytest.fixture
def site(tmp_path) -> Iterator[Site]:
    with Site.start(tmp_path, Plan(pages=PAGES)) as site:
        yield site


def test_a_crawl_of_a_watched_site_and_the_source_both_have_the_pages(database, site):
    """FRO-16."""
    run = partial(outrider_here, settings={"OUTRIDER_DATABASE_URL": database})
    work = partial(outrider, settings={"OUTRIDER_DATABASE_URL": database})
    added = run("source", "add", site.url, "--name", "Site", "--mode", "spider")
    assert added.code == 0, added.err
    assert work("watch", "--once", *ONE).code == 0
    before = len([each for each in site.log() if each.path != "/robots.txt"])

    crawled = work("crawl", site.url, "--json", *ONE)

    summary = crawled.lines[-1]
    assert crawled.code == 0, crawled.err
    assert (summary["ending"], summary["pages"]) == ("finished", 1), "all the others were there"
    assert len([each for each in site.log() if each.path != "/robots.txt"]) == before + 1
    name = f"crawl {site.url}"
    exported = [
        run("export", "urls", "--source", source, "--format", "jsonl").lines for source in ("Site", name)
    ]
    ours, theirs = ({row["url"] for row in rows if row["kind"] == "page"} for rows in exported)
    assert site.url in ours & theirs
    assert theirs <= ours
    assert {row["source"] for row in exported[1]} == {"Site"}, "they stay the source's"
    why = run("why", site.url).out
    assert "Site, pending" in why
    assert f"{name}, fetched" in why
    stats = run("stats", "--json").json
    everything = run("export", "urls", "--format", "jsonl").lines
    assert sum(stats["states"].values()) == len([row for row in everything if row["kind"] != "robots"])
    shown = run("source", "show", "Site", "--json").json
    assert (shown["held"], shown["pending"] >= 1) == (True, True), "it waits for the next `outrider watch`"
