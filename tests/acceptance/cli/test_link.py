"""`outrider link`: the links in the content of owned sites."""

import pytest
from tests.support.command import outrider_here_meanwhile

from outrider.links.monitor.model import PathAnswer, PathState
from outrider.services.sites.links import save_field_links


async def live_paths(paths):
    return {"/old": PathAnswer(PathState.MOVED, "/new"), "/live": PathAnswer(PathState.LIVE)}


@pytest.fixture
async def links(pool) -> dict[str, int]:
    async with pool.acquire() as db:
        hrefs = ["/live", "/old", "/gone", "http://127.0.0.1:9/x"]
        saved = await save_field_links(db, 3, "http://shop.test", "nav.main", hrefs, live_paths)
    return {link.url: link.link_id for link in saved.links}


@pytest.fixture
def run(database):
    async def run(*arguments: str):
        return await outrider_here_meanwhile(
            "link", *arguments, "--site", "3", settings={"OUTRIDER_DATABASE_URL": database}
        )

    return run


async def test_dead_links_are_listed_first(run, links):
    listed = await run("list", "--json")
    shown = await run("list")

    assert [(link["url"], link["status"]) for link in listed.json["links"]] == [
        ("/gone", "dead"),
        ("/old", "moved"),
        ("http://127.0.0.1:9/x", "unchecked"),
        ("/live", "ok"),
    ]
    assert listed.json["total"] == 4
    assert "/gone" in shown.out


async def test_a_link_is_ignored_and_counts_again(run, links):
    await run("ignore", str(links["/gone"]))
    assert (await run("list", "--json")).json["total"] == 3

    await run("ignore", str(links["/gone"]), "--undo")
    assert (await run("list", "--json")).json["total"] == 4


async def test_a_moved_link_is_to_be_replaced(run, links):
    applied = await run("apply", str(links["/old"]), "--json")
    updates = await run("updates", "--json")

    assert (applied.json["url"], applied.json["replacement"]) == ("/old", "/new")
    assert [update["link_id"] for update in updates.json] == [links["/old"]]


async def test_an_external_link_is_checked_next(run, links, pool):
    assert (await run("check", str(links["http://127.0.0.1:9/x"]))).code == 0

    assert await pool.fetchval("SELECT prio FROM url WHERE kind = 4") == 8


async def test_a_link_that_does_not_exist_is_one_sentence(run, links):
    ran = await run("show", "999")

    assert (ran.code, ran.err) == (1, "outrider: the site has no link 999\n")


async def test_a_link_is_shown_with_its_reason(run, links):
    ran = await run("show", str(links["/gone"]), "--json")

    assert (ran.json["link"]["reason"], ran.json["checks"]) == ("no_route", [])
    assert "the site has no page at this path" in (await run("show", str(links["/gone"]))).out
