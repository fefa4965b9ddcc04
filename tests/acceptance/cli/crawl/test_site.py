"""`outrider crawl` from a shell, against a real site."""

import json
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.command import outrider, outrider_here
from tests.support.embedded import within
from tests.support.site import Answer, Plan, Site, html, redirect

from outrider.db import postmaster

PAGES = 25
ONE = ("--workers", "1")


@pytest.fixture
def data() -> Iterator[Path]:
    """A folder that PostgreSQL can reach; pytest's own are private, and as root it is somebody else."""
    folder = Path(tempfile.mkdtemp(prefix="outrider-test-"))
    folder.chmod(0o755)
    yield folder
    assert within(30, lambda: postmaster.find(folder / "database" / "data") is None)
    shutil.rmtree(folder)


def test_a_crawl_on_the_embedded_database_tells_programs_all_of_it_and_leaves_its_pages_in_a_file(
    data, tmp_path
):
    file = tmp_path / "pages.jsonl"
    plan = Plan(pages=PAGES, answers={"/page/7": [Answer(status=404)]})
    with Site.start(tmp_path, plan) as site:
        ran = outrider(
            *("--data", str(data), "crawl", site.url, "--depth", "10", "--json", "--output", str(file), *ONE)
        )

    *_, last = ran.lines
    assert ran.code == 0, ran.err
    assert ran.lines[0]["event"] == "start"
    assert (last["event"], last["ending"], last["ok"]) == ("summary", "finished", True)
    assert (last["pages"], last["new"]) == (PAGES - 1, PAGES - 1)
    assert last["dead"]["not_found"] == {"count": 1, "examples": [f"{site.url}page/7"]}
    pages = {json.loads(line)["url"] for line in file.read_text().splitlines()}
    assert pages == {f"{site.url}page/{n}" if n else site.url for n in range(PAGES) if n != 7}


def test_without_a_terminal_there_are_plain_lines_and_a_summary(database, tmp_path):
    with Site.start(tmp_path, Plan(pages=PAGES)) as site:
        ran = outrider("crawl", site.url, "--depth", "1", *ONE, settings={"OUTRIDER_DATABASE_URL": database})

    assert ran.code == 0, ran.err
    assert "\x1b" not in ran.out
    assert ran.out.splitlines()[0] == f"crawling (run 1): {site.url}"
    assert "Finished: nothing is left to fetch." in ran.out
    assert "beyond depth 1: raise it with --depth" in ran.out


def test_a_page_limit_is_exact_with_two_workers(database, tmp_path):
    with Site.start(tmp_path, Plan(pages=200, hosts=6)) as site:
        ran = outrider(
            *("crawl", site.url, "--scope", "any", "--depth", "10"),
            *("--max-pages", "61", "--workers", "2", "--json"),
            settings={"OUTRIDER_DATABASE_URL": database},
        )
        answered = [asked for asked in site.log() if asked.path != "/robots.txt"]

    assert ran.code == 0, ran.err
    assert ran.lines[-1]["ending"] == "limit"
    assert ran.lines[-1]["pages"] == 61
    assert len(answered) == 61
    left = outrider_here(
        "urls", "--status", "pending", "--json", settings={"OUTRIDER_DATABASE_URL": database}
    )
    assert {url["held"] for url in left.json["urls"]} == {True}, "no other run goes on with the rest"


def test_the_same_command_looks_at_the_start_page_again_and_recrawl_at_all(database, tmp_path):
    settings = {"OUTRIDER_DATABASE_URL": database}
    with Site.start(tmp_path, Plan(pages=PAGES)) as site:
        command = ("crawl", site.url, "--depth", "10", "--json", *ONE)
        first = outrider(*command, settings=settings)
        again = outrider(*command, settings=settings)
        everything = outrider(*command, "--recrawl", "0s", settings=settings)

    assert [ran.lines[-1]["pages"] for ran in (first, again, everything)] == [PAGES, 1, PAGES]
    assert [ran.lines[-1]["new"] for ran in (first, again, everything)] == [PAGES, 0, 0]


def test_a_crawl_of_a_site_in_maintenance_keeps_what_it_has_and_says_so(database, tmp_path):
    settings = {"OUTRIDER_DATABASE_URL": database}
    front = [html("<title>Front</title>welcome"), redirect("/maintenance", 302)]
    with Site.start(tmp_path, Plan(answers={"/": front, "/maintenance": [html("Back soon.")]})) as site:
        command = ("crawl", site.url, *ONE)
        first = outrider(*command, settings=settings)
        again = outrider(*command, settings=settings)
        asked = [one.path for one in site.log() if one.path != "/robots.txt"]
    why = outrider("why", site.url, settings=settings)
    known = outrider("why", site.url, "--json", settings=settings).json

    assert (first.code, again.code, asked) == (0, 1, ["/", "/"])
    assert f"it redirects to {site.url}maintenance for now, and what was fetched before is kept" in again.err
    assert f"Redirected temporarily (302) to {site.url}maintenance on " in " ".join(why.out.split())
    assert (known["known"]["state"], known["document"]["title"]) == ("fetched", "Front")
    assert [(each["status"], each["times"]) for each in known["redirects"]] == [(302, 1)]


def test_scope_and_patterns_bound_the_crawl(database, tmp_path):
    links = "".join(f'<a href="/{name}">{name}</a>' for name in ("docs/a", "docs/b", "blog/a"))
    plan = Plan(
        answers={"/": [html(links)]} | {path: [html(path)] for path in ("/docs/a", "/docs/b", "/blog/a")}
    )
    with Site.start(tmp_path, plan) as site:
        outrider(
            *("crawl", site.url, "--include", "/docs/", "--exclude", "b$", *ONE),
            settings={"OUTRIDER_DATABASE_URL": database},
        )
        asked = {asked.path for asked in site.log()}

    assert asked == {"/robots.txt", "/", "/docs/a"}


def test_what_is_guessed_and_what_is_risky_is_said_and_done(database, tmp_path):
    with Site.start(tmp_path, Plan(pages=3)) as site:
        bare = site.url.removeprefix("http://")
        ran = outrider("crawl", bare, "--depth", "6", *ONE, settings={"OUTRIDER_DATABASE_URL": database})

    assert ran.code == 0, ran.err
    assert f"outrider: no scheme given, using {site.url}" in ran.err
    assert "outrider: depth 6 is deep" in ran.err


@pytest.mark.parametrize(
    ("options", "settings", "why"),
    [
        (("--ignore-robots",), {}, "because of --ignore-robots"),
        ((), {"OUTRIDER_RESPECT_ROBOTS": "false"}, "because OUTRIDER_RESPECT_ROBOTS is false"),
    ],
)
def test_robots_txt_that_is_not_obeyed_is_told_once_at_the_start_and_in_the_summary(
    options, settings, why, database, tmp_path
):
    settings = {"OUTRIDER_DATABASE_URL": database, **settings}
    robots = Answer(body="User-agent: *\nDisallow: /\n")
    with Site.start(tmp_path, Plan(pages=3, hosts=2, robots=robots)) as site:
        seeds = [f"{origin}/" for origin in site.origins]
        for_people = outrider("crawl", *seeds, *options, *ONE, settings=settings)
        for_programs = outrider("crawl", *seeds, *options, *ONE, "--json", settings=settings)

    begun, *_, summary = for_programs.lines
    assert for_people.err.count("outrider: WARNING: robots.txt is not obeyed") == 1
    assert len([line for line in for_people.err.splitlines() if "robots.txt is not obeyed" in line]) == 2
    assert why in " ".join(for_people.out.split())
    for event in (begun, summary):
        assert event["robots_obeyed"] is False
        assert why in event["robots_notice"]
    assert for_programs.err.count("robots.txt is not obeyed anywhere") <= 1


def test_a_crawl_that_obeys_robots_txt_says_nothing_about_it(database, tmp_path):
    with Site.start(tmp_path, Plan(pages=1)) as site:
        ran = outrider("crawl", site.url, *ONE, "--json", settings={"OUTRIDER_DATABASE_URL": database})

    begun, *_, summary = ran.lines
    assert (begun["robots_obeyed"], summary["robots_obeyed"]) == (True, True)
    assert "not obeyed" not in ran.err


def test_quiet_says_nothing(database, tmp_path):
    with Site.start(tmp_path / "site", Plan(pages=3)) as site:
        ran = outrider(
            *("crawl", site.url, "--quiet", "--data", str(tmp_path / "data"), *ONE),
            settings={"OUTRIDER_DATABASE_URL": database},
        )

    assert (ran.code, ran.out, ran.err) == (0, "", "")
    for line in (tmp_path / "data" / "log" / "crawl.log").read_text().splitlines():
        json.loads(line)
