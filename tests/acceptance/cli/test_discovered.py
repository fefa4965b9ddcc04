"""`outrider discovered`: from links that led elsewhere to a new source."""

import asyncio
from collections.abc import Callable
from functools import partial

import asyncpg
import pytest
from tests.support.command import Ran, outrider_here
from tests.support.make import ADHOC

from outrider.urls import key_of
from outrider.watch.discovery.outside_links import DiscoveredStore, OutsideLink

LINKS = ("https://a.example/1", "https://a.example/2", "https://www.b.example/story")
Run = Callable[..., Ran]


@pytest.fixture
def run(database: str) -> Run:
    async def record() -> None:
        db = await asyncpg.connect(database)
        links = [OutsideLink(key_of(url), url, priority=4) for url in LINKS]
        await DiscoveredStore().record(db, ADHOC, "https://us.example/", 1, links)
        await db.close()

    with asyncio.Runner() as runner:
        runner.run(record())
    return partial(outrider_here, settings={"OUTRIDER_DATABASE_URL": database})


def domains(run: Run, *options: str) -> list[tuple[str, int, str]]:
    listed = run("discovered", "domains", "--json", *options).json["domains"]
    return [(each["domain"], each["links"], each["state"]) for each in listed]


def test_domains_and_links_are_listed(run: Run):
    """SPI-10."""
    assert domains(run) == [("a.example", 2, "active"), ("b.example", 1, "active")]
    assert domains(run, "--search", "b.ex") == [("b.example", 1, "active")]
    assert domains(run, "--min-score", "90") == []
    links = run("discovered", "links", "--domain", "a.example", "--json").json
    assert (links["total"], {each["url"] for each in links["links"]}) == (2, set(LINKS[:2]))
    shown = run("discovered", "domains")
    assert (shown.code, "a.example" in shown.out, "adhoc" in shown.out) == (0, True, True)
    assert LINKS[2] in run("discovered", "links").out
    assert "1 of 3 links" in run("discovered", "links", "--limit", "1").out


def test_a_domain_is_reviewed_ignored_and_taken_back(run: Run):
    assert run("discovered", "review", "a.example").out == "a.example is reviewing now.\n"
    assert run("discovered", "ignore", "b.example", "--json").json == {
        "named": "b.example",
        "state": "ignored",
    }
    assert domains(run) == [("a.example", 2, "reviewing")]
    assert domains(run, "--state", "ignored") == [("b.example", 1, "ignored")]

    assert run("discovered", "restore", "b.example").code == 0
    assert [name for name, *_ in domains(run)] == ["a.example", "b.example"]


def test_a_domain_becomes_a_source(run: Run):
    """SPI-11."""
    tried = run("discovered", "promote", "b.example", "--dry-run")
    assert "would be watched" in tried.out
    assert run("source", "list", "--json").json["total"] == 0

    said = run("discovered", "promote", "b.example", "--name", "The B", "--mode", "both")

    assert said.out == "The B is watched from now on, in mode both: https://www.b.example/\n"
    [listed] = run("source", "list", "--json").json["sources"]
    assert (listed["name"], listed["url"], listed["mode"]) == ("The B", "https://www.b.example/", "both")
    assert domains(run) == [("a.example", 2, "active")]
    again = run("discovered", "promote", "b.example")
    assert (again.code, "watched already" in again.err) == (1, True)


def test_what_no_link_led_to_is_said(run: Run):
    said = run("discovered", "ignore", "nowhere.example")

    assert (said.code, said.err) == (1, "outrider: no link led to nowhere.example\n")
