"""The database keeps the rules of the table, also when changes meet."""

import asyncio
import random

import asyncpg
import pytest
from tests.support.sites import SiteOwner

from outrider.errors import Conflict, InvalidInput, OutriderError
from outrider.redirects.store import RedirectStore
from outrider.services.sites.content import put_paths
from outrider.services.sites.redirects import RedirectRequest, create_redirect, resolve_path
from outrider.sites.model import DeleteFallback, LivePath

PATHS = ["/", *(f"/{name}" for name in "abcdef"), "/a/a", "/a/b", "/b/a"]
VIOLATIONS = """
SELECT 'chain: ' || a.from_path FROM site_redirect a JOIN site_redirect b
    ON b.site_id = a.site_id AND b.from_path = a.to_key
UNION ALL
SELECT 'hidden: ' || from_path FROM site_redirect JOIN site_path ON path = from_path AND is_visible
"""


async def do_something(shop: SiteOwner, rng: random.Random) -> None:
    one, other = rng.choice(PATHS), rng.choice(PATHS)
    match rng.choice(["rename", "delete", "create", "new", "edit", "remove", "collection", "hide", "show"]):
        case "rename":
            await shop.tell("renamed", one, other)
        case "delete":
            await shop.tell("deleted", one, parent=rng.choice([None, other]))
        case "create":
            await shop.create(one, other, rng.choice([301, 302]), confirm_root=True)
        case "new":
            await shop.tell("created", one, parent=other)
        case "edit":
            await shop.edit(one, other + rng.choice(["", "?x=1"]), confirm_root=True)
        case "remove":
            await shop.remove(one)
        case "collection":
            await shop.tell("collection_renamed", one, other)
        case "hide":
            await shop.tell("hidden", one, parent=other)
        case "show":
            await shop.tell("shown", one)


@pytest.mark.parametrize("seed", range(4))
async def test_after_any_sequence_there_is_no_chain_and_no_hidden_page(shop: SiteOwner, seed: int):
    rng = random.Random(seed)
    await shop.set(delete_fallback=rng.choice(list(DeleteFallback)).value)
    done = 0
    for _ in range(80):
        try:
            await do_something(shop, rng)
            done += 1
        except OutriderError:
            continue
        assert await shop.db.fetch(VIOLATIONS) == []

    assert done > 30


async def test_changes_that_meet_form_no_loop(shop: SiteOwner, pool: asyncpg.Pool):
    """Each of two transactions alone is right; together they would form a loop."""

    async def create(from_path: str, to: str) -> str:
        async with pool.acquire() as connection:
            try:
                await create_redirect(connection, shop.name, RedirectRequest(from_path, to), "x")
            except Conflict as refused:
                return str(refused)
            return "created"

    for round_ in range(10):
        one, other = f"/one-{round_}", f"/other-{round_}"
        results = await asyncio.gather(create(one, other), create(other, one))
        assert sorted("created" if each == "created" else "refused" for each in results) == [
            "created",
            "refused",
        ]

    assert await shop.db.fetch(VIOLATIONS) == []


async def test_a_second_change_waits_for_the_first(shop: SiteOwner, pool: asyncpg.Pool):
    site_id = await shop.db.fetchval("SELECT site_id FROM site")
    async with pool.acquire() as other, other.transaction():
        await RedirectStore().lock(other, site_id)
        waiting = asyncio.create_task(shop.create("/a", "/b"))
        while not await other.fetchval(
            "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
            " AND datname = current_database()"
        ):
            assert not waiting.done()
            await other.execute("SELECT pg_stat_clear_snapshot()")
            await asyncio.sleep(0.01)
    await waiting
    assert await shop.redirects() == {"/a": "/b"}


async def test_loops_self_redirects_live_pages_and_the_home_page_are_refused(shop: SiteOwner):
    await shop.has_pages("/live")
    await shop.create("/a", "/b")

    for from_path, to in [("/b", "/a"), ("/c", "/C/"), ("/live", "/b"), ("/", "/a"), ("/a", "/z")]:
        with pytest.raises(Conflict):
            await shop.create(from_path, to)
    with pytest.raises(Conflict):
        await shop.edit("/a", "/a?x=1")
    await shop.create("/", "/b", confirm_root=True)
    with pytest.raises(Conflict, match="confirm_root"):
        await shop.edit("/", "/c")

    assert await shop.redirects() == {"/a": "/b", "/": "/b"}
    assert (await shop.edit("/", "/c", confirm_root=True)).to == "/c"


async def test_an_edited_target_is_flattened_and_checked_again(shop: SiteOwner):
    await shop.create("/a", "/b")
    await shop.create("/c", "/d")

    edited = await shop.edit("/a", "/c")
    assert (edited.to, edited.status) == ("/d", 301)
    with pytest.raises(Conflict):
        await shop.edit("/c", "/c")

    assert await shop.redirects() == {"/a": "/d", "/c": "/d"}
    await shop.create("/now", "/x", 302)
    assert (await shop.edit("/now", "/d")).status == 302, "another target keeps the code"
    through = await shop.edit("/a", "/now")
    assert (through.to, through.status) == ("/d", 302), "a way that is temporary in part is temporary"


async def test_codes_and_targets_that_are_not_allowed_are_refused(shop: SiteOwner):
    for to, status in [("/b", 307), ("/b", 200), ("https://evil.test/", 301), ("//evil.test", 301)]:
        with pytest.raises(InvalidInput):
            await shop.create("/a", to, status)
    await shop.set(more_status_codes=True)
    await shop.create("/a", "/b", 307)
    await shop.create("/x", "https://other.test/", may_leave=True)
    await shop.create("/y", "https://shop.test/B/")

    assert await shop.redirects() == {"/a": "/b", "/x": "https://other.test/", "/y": "/b"}


async def test_an_inventory_that_is_replaced_removes_redirects_from_live_paths(shop: SiteOwner):
    await shop.has_pages("/old", "/kept")
    await shop.create("/new", "/kept")

    result = await put_paths(shop.db, shop.name, [LivePath("/kept"), LivePath("/New/")], "cms")

    assert (result.live_paths, list(result.no_longer_live), result.redirects_removed) == (2, ["/old"], 1)
    assert await shop.redirects() == {}


async def test_a_large_inventory_is_written_in_parts(shop: SiteOwner, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("outrider.services.sites.content.PATHS_AT_ONCE", 2)
    await shop.has_pages("/gone")
    for name in "abcde":
        await shop.create(f"/{name}", "/z")

    result = await put_paths(shop.db, shop.name, [LivePath(f"/{name}") for name in "abcdef"], "cms")

    assert (result.live_paths, list(result.no_longer_live), result.redirects_removed) == (6, ["/gone"], 5)
    assert await shop.redirects() == {}
    assert await shop.db.fetch(VIOLATIONS) == []


async def test_other_rules_for_paths_rewrite_the_table(shop: SiteOwner):
    await shop.set(lowercase_paths=False)
    await shop.has_pages("/Live")
    await shop.create("/Old", "/New")
    await shop.create("/live", "/x")

    await shop.set(lowercase_paths=True)

    assert await shop.redirects() == {"/old": "/new"}
    assert await shop.db.fetch(VIOLATIONS) == []


@pytest.mark.parametrize(
    ("asked", "status", "location"),
    [
        ("/old", 301, "/new"),
        ("/OLD/?a=1", 301, "/new?a=1"),
        ("/Other/?Q=1", 301, "/other?Q=1"),
        ("/other", 0, None),
        ("/gone", 410, None),
        ("/", 0, None),
    ],
)
async def test_a_path_is_resolved_as_the_middleware_does(shop: SiteOwner, asked, status, location):
    await shop.create("/old", "/new")
    await shop.create("/gone", None, 410)

    found = await resolve_path(shop.db, shop.name, asked)

    assert (found.status, found.location) == (status, location)


async def test_a_loop_check_reads_few_rows_of_a_large_table(shop: SiteOwner):
    """The check uses the indexes by source and by target, whatever the size of the table."""
    site_id = await shop.db.fetchval("SELECT site_id FROM site")
    await shop.db.execute(
        "INSERT INTO site_redirect (site_id, from_path, to_path, to_key, source)"
        " SELECT $1, '/from/' || n, '/to/' || n, '/to/' || n, 'admin' FROM generate_series(1, 20000) n",
        site_id,
    )
    await shop.db.execute("ANALYZE site_redirect")
    text = RedirectStore()._sql.neighbourhood
    plan = await shop.db.fetchval(f"EXPLAIN (FORMAT JSON) {text}", site_id, ["/to/5", "/from/5"], ["/to/5"])

    assert "Seq Scan" not in str(plan)
    with pytest.raises(Conflict, match="lead to itself"):
        await shop.create("/to/5", "/from/5")
