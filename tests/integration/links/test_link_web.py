"""200 links on 40 hosts that lie, block, flap and stall: no link is called dead that is not."""

import json
from collections import Counter

import pytest
from tests.support.command import outrider
from tests.support.link_web import Habit, LinkWeb, Truth
from tests.support.politeness import violations

DELAY_S = 0.03


@pytest.fixture(scope="module")
def checked(tmp_path_factory):
    folder = tmp_path_factory.mktemp("links")
    with LinkWeb(40, 5, folder) as web:
        links = web.links
        ran = outrider(
            "check",
            "-",
            "--json",
            "--data",
            str(folder / "data"),
            settings={
                "OUTRIDER_DELAY": f"{DELAY_S * 1000:.0f}ms",
                "OUTRIDER_BREAKER_FAILURES": "2",  # so that hosts that never answer cost little time
            },
            stdin="\n".join(link.url for link in links).encode(),
            timeout=110,
        )
        log = web.log()
    results = {found["url"]: found for found in map(json.loads, ran.out.splitlines())}
    return ran, [(link, results[link.url]) for link in links], log


def test_no_link_is_called_dead_that_is_not(checked):
    _, links, _ = checked

    false = [
        (link.url, link.habit, found["reason"])
        for link, found in links
        if found["verdict"] == "dead" and link.truth is not Truth.DEAD
    ]

    assert len(links) == 200
    assert false == []


def test_every_link_that_its_server_proves_dead_is_found(checked):
    ran, links, _ = checked

    missed = [
        (link.url, link.habit, found)
        for link, found in links
        if link.truth is Truth.DEAD and found["verdict"] != "dead"
    ]

    assert missed == []
    assert ran.code == 1


def test_a_page_that_is_gone_behind_a_200_is_never_ok(checked):
    _, links, _ = checked
    reasons = Counter(found["reason"] for link, found in links if link.truth is Truth.HIDDEN_DEAD)

    assert set(reasons) <= {"soft_404", "parked_domain"}
    assert reasons


def test_moved_links_name_the_new_address(checked):
    _, links, _ = checked
    moved = [(link, found) for link, found in links if link.truth is Truth.MOVED]

    assert {found["verdict"] for _, found in moved} == {"moved"}
    assert all("/ok/" in found["moved_to"] for _, found in moved)


def test_honest_pages_are_ok(checked):
    _, links, _ = checked
    honest = (Habit.HONEST, Habit.SOFT_404, Habit.HEAD_405, Habit.HEAD_403, Habit.HEAD_404, Habit.SLOW)

    verdicts = {
        found["verdict"] for link, found in links if link.habit in honest and link.truth is Truth.ALIVE
    }

    assert verdicts == {"ok"}


def test_every_verdict_has_evidence(checked):
    _, links, _ = checked

    assert all(found["evidence"] for _, found in links)
    probe = links[0][1]["evidence"][0]
    assert {"purpose", "method", "url", "asked_at", "status", "hops", "error"} <= set(probe)


def test_every_host_kept_its_delay_by_the_log_of_the_server(checked):
    _, _, log = checked
    answered = [served for served in log if served.status]  # the end of the others is not known

    assert len({served.address for served in answered}) > 30
    assert violations(answered, lambda _: DELAY_S) == []
