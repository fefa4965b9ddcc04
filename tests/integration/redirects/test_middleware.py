"""The middleware answers from memory, follows changes, and never stands in the way."""

import asyncio
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from tests.support.asgi import ask, plain_app, running, until
from tests.support.relay import relay_to
from tests.support.sites import ALL, SiteOwner

from outrider.errors import Misconfigured
from outrider.redirects import database_feed, follower, recorder
from outrider.redirects.asgi import RedirectMiddleware
from outrider.services.sites.broken_urls import list_broken
from outrider.services.sites.redirects import resolve_path


@pytest.fixture
def guarded(database: str) -> Callable[..., RedirectMiddleware]:
    """Makes a middleware around an application."""
    return lambda app=plain_app, dsn=database: RedirectMiddleware(app, site="shop", database_url=dsn)


async def test_matches_variants_and_everything_else(shop: SiteOwner, guarded):
    await shop.create("/old", "/a")
    await shop.create("/campaign", "/b?from=mail", 302)
    await shop.create("/gone", None, 410)
    await shop.create("/größe", "/c")

    async with running(guarded()) as app:
        for url, status, location in [
            ("/old", 301, "/a"),
            ("/old?x=1&y=%20z", 301, "/a?x=1&y=%20z"),
            ("/Old/", 301, "/a"),
            ("/OLD/?Keep=Case", 301, "/a?Keep=Case"),
            ("/campaign?x=1", 302, "/b?from=mail&x=1"),
            ("/gone", 410, None),
            ("/gr%C3%B6%C3%9Fe", 301, "/c"),
            ("/A/", 301, "/a"),
            ("/B?Q=Case", 301, "/b?Q=Case"),
            ("/a", 200, None),
            ("/", 200, None),
            ("/nothing", 404, None),
        ]:
            answer = await ask(app, url)
            assert (url, answer.status, answer.location) == (url, status, location)
        assert (await ask(app, "/old", "HEAD")).status == 301
        assert (await ask(app, "/old", "POST")).status == 404
        assert (await ask(app, "/A", "DELETE")).status == 404


async def test_slash_and_case_can_be_off_or_exempt(shop: SiteOwner, guarded):
    await shop.set(exempt_prefixes=["/api/"])
    async with running(guarded()) as app:
        assert (await ask(app, "/api/V1/")).status == 404
        assert (await ask(app, "/A/")).location == "/a"
        await shop.set(lowercase_paths=False, strip_trailing_slash=False)
        await until(lambda: not app.service.follower.table.rules.lowercase, "the settings arrive")
        assert (await ask(app, "/A/")).status == 404


@pytest.mark.parametrize(
    "path", ["//evil.test/", "///evil.test/X", "/%5cevil.test/", "/a%0d%0aSet-Cookie:x/", "/a%2FB/"]
)
async def test_no_spelling_becomes_an_open_redirect_or_a_header(shop: SiteOwner, guarded, path: str):
    async with running(guarded()) as app:
        answer = await ask(app, path)
        assert answer.location is None or (
            answer.location.startswith("/")
            and answer.location[1] not in "/\\"
            and answer.location.isprintable()
        )


async def test_ordinary_pages_ask_the_database_nothing(shop: SiteOwner, guarded, monkeypatch):
    monkeypatch.setattr(follower, "REPORT_S", 0.05)
    monkeypatch.setattr(database_feed, "POLL_S", 3_600.0)
    await shop.create("/old", "/a")
    async with running(guarded()) as app:
        asked = app.service.feed.queries
        for _ in range(50):
            await ask(app, "/data.json")
            await ask(app, "/old", "POST")
        assert app.service.feed.queries == asked
        assert app.figures().redirect_table_misses == 50

        async def is_counted() -> bool:
            return (await shop.listed())[0].hit_count == 1

        await ask(app, "/old")
        await until(is_counted, "the thread that follows the table had its turn")
        assert app.service.feed.queries == asked + 1, "only the hit is written"


async def test_a_change_is_told_and_not_waited_for(shop: SiteOwner, guarded, monkeypatch):
    monkeypatch.setattr(database_feed, "POLL_S", 3_600.0)
    async with running(guarded()) as app:
        await shop.create("/new", "/a")
        await until(lambda: len(app.service.follower.table) == 1, "the change arrives without a poll")


async def test_a_redirect_that_cannot_be_served_leaves_the_page_alone(shop: SiteOwner, guarded):
    async with running(guarded()) as app:
        app.service.follower.table._entries["/b"] = (301, b"no text")
        assert (await ask(app, "/b?x=1")).status == 200


async def test_hits_are_counted_in_batches_and_survive_a_restart(shop: SiteOwner, guarded):
    await shop.create("/old", "/a")
    async with running(guarded()) as app:
        for _ in range(3):
            await ask(app, "/old")
    async with running(guarded()) as app:
        await ask(app, "/Old/")

    [made] = await shop.listed()
    assert made.hit_count == 4
    assert made.last_hit_at is not None


async def test_changes_arrive_as_differences_and_the_table_agrees_in_the_end(shop: SiteOwner, guarded):
    async with running(guarded()) as app:
        first = app.service.follower.table
        for number in range(20):
            await shop.create(f"/x{number}", "/a")
        await shop.tell("renamed", "/a", "/b")
        await shop.remove("/x3")
        expected = await shop.redirects()

        def agrees() -> bool:
            table = app.service.follower.table
            found = {path: table.answer(path, "") for path in expected}
            return len(table) == len(expected) and all(
                answer is not None and answer.location == expected[path] for path, answer in found.items()
            )

        await until(agrees, "all changes arrive")
        assert app.service.follower.table is first, "the table was loaded again as a whole"


async def test_a_reader_behind_the_kept_changes_loads_everything(shop: SiteOwner, guarded):
    app = guarded()
    async with running(app):
        await shop.db.execute("UPDATE site_redirect_table SET kept_changes = version + 10")
        await shop.create("/new", "/a")
        await until(lambda: len(app.service.follower.table) == 1, "the redirect arrives")


async def test_the_site_keeps_serving_while_the_database_is_away(shop: SiteOwner, guarded, database: str):
    await shop.create("/old", "/a")
    async with relay_to(database) as between, running(guarded(dsn=between.dsn)) as app:
        between.cut()
        await until(lambda: app.service.follower.error is not None, "the loss is noticed")
        assert (await ask(app, "/old")).location == "/a"
        assert (await ask(app, "/a")).status == 200
        await shop.create("/new", "/b")
        between.mend()

        async def knows() -> bool:
            return (await ask(app, "/new")).status == 301

        await until(knows, "the change arrives after all")
        await until(lambda: app.figures().error is None, "the error is over")
    assert {each.from_path: each.hit_count for each in await shop.listed()}["/old"] == 1


async def test_without_a_database_the_site_serves_without_redirects(tmp_path: Path, monkeypatch):
    monkeypatch.setattr("outrider.redirects.asgi.START_PATIENCE_S", 0.05)
    app = RedirectMiddleware(plain_app, site="shop", database_url=f"postgresql:///none?host={tmp_path}")
    async with running(app):
        assert (await ask(app, "/a")).status == 200
        assert (await ask(app, "/A")).status == 404
        assert app.figures().version is None


async def test_a_router_that_appends_slashes_makes_no_circle(shop: SiteOwner, guarded):
    async with running(guarded()) as app:
        assert (await ask(app, "/slashed/")).location == "/slashed"
        assert (await ask(app, "/slashed")).location == "http://shop.test/slashed/"

        assert (await ask(app, "/slashed/")).status == 200


async def test_views_of_people_make_a_404_a_broken_url_and_others_do_not(shop: SiteOwner, guarded):
    async with running(guarded()) as app:
        await ask(app, "/a")
        await ask(app, "/b", agent="Googlebot/2.1")
        await ask(app, "/c", "HEAD")
        await ask(app, "/data.json")
        await ask(app, "/failing")
    assert [tuple(row) for row in await shop.db.fetch("SELECT path, views FROM site_view")] == [("/a", 1)]

    await shop.saw(lost=7)
    async with running(guarded()) as app:
        await ask(app, "/lost?utm=1", referrer="https://blog.test/post")
        await ask(app, "/Lost/")
        await ask(app, "/wp-login.php")

    found = (await list_broken(shop.db, shop.name, ALL)).items
    assert [(each.path, each.prior_analytics_hits, each.recent_404_count) for each in found] == [
        ("/lost", 7, 1)
    ]
    assert list(found[0].referrers) == ["https://blog.test/post"]

    async with running(guarded()) as app:
        await ask(app, "/lost")
        await ask(app, "/lost")
    [again] = (await list_broken(shop.db, shop.name, ALL)).items
    assert again.recent_404_count == 3, "404s of all processes are added"


async def test_programs_that_the_site_names_count_as_programs(shop: SiteOwner, guarded):
    async with running(guarded()) as app:
        await ask(app, "/a", agent="OurProbe/1")
        await shop.set(bot_words=["ourprobe"])
        await until(lambda: app.service.follower.table.bot_words == ("ourprobe",), "the settings arrive")
        await ask(app, "/b", agent="OurProbe/1")
    async with running(guarded()) as app:
        await ask(app, "/c", agent="OurProbe/1")
        await ask(app, "/d")

    rows = await shop.db.fetch("SELECT path FROM site_view ORDER BY path")
    assert [row["path"] for row in rows] == ["/a", "/d"]


async def test_a_storm_of_a_scanner_stores_nothing_and_stays_bounded(shop: SiteOwner, guarded):
    app = guarded()
    async with running(app):
        for number in range(recorder.MOST_WAITING + 500):
            app.service.missed(f"/wp-{number}.php", b"")
        for number in range(3_000):
            await ask(app, f"/scan-{number}.php")
        assert len(app.service.recorder._misses) <= recorder.MOST_WAITING
        await until(lambda: not app.service.recorder._misses, "the reports are taken")
    assert app.figures().dropped_reports > 0
    assert await shop.db.fetchval("SELECT count(*) FROM broken_url") == 0
    assert await shop.db.fetchval("SELECT count(*) FROM site_view") == 0


def test_it_imports_no_crawler():
    heavy = ["aiohttp", "fastapi", "numpy", "pydantic", "selectolax", "pyarrow", "typer", "uvloop"]
    rooms = ["crawl", "frontier", "fetch", "watch", "settings", "services", "extract"]
    code = (
        "import sys, outrider.redirects.asgi, outrider.redirects.wsgi, outrider.redirects.database_feed\n"
        f"unwanted = {(*heavy, *(f'outrider.{room}' for room in rooms))!r}\n"
        "print([name for name in sys.modules if name in unwanted])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert ran.stdout.strip() == "[]"


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"database_url": "x", "api_url": "https://a.test"},
        {"api_url": "https://a.test"},
        {"api_url": "ftp://a.test", "key": "k"},
    ],
)
def test_a_middleware_needs_one_source(options: dict[str, Any]):
    with pytest.raises(Misconfigured):
        RedirectMiddleware(plain_app, site="shop", **options)


async def test_middleware_and_api_give_the_same_answer(shop: SiteOwner, guarded):
    await shop.create("/old", "/a?x=1#part")
    await shop.create("/gone", None, 410)
    await shop.create("/a%20b", "/c")
    async with running(guarded()) as app:
        for url in [
            "/old",
            "/OLD/",
            "/old?y=2",
            "/gone",
            "/Gone/",
            "/a%20b",
            "/A",
            "/a/",
            "/a",
            "/",
            "/x%3Fy",
            "/X/Y?Z=1",
        ]:
            answer, resolved = await ask(app, url), await resolve_path(shop.db, shop.name, url)
            expected = (resolved.status, resolved.location) if resolved.status else (answer.status, None)
            assert (url, answer.status, answer.location) == (url, *expected)


async def test_a_killed_connection_is_opened_again(shop: SiteOwner, guarded, pool: asyncpg.Pool):
    async with running(guarded()) as app:
        await pool.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE application_name LIKE 'outrider redirects%' AND datname = current_database()"
        )
        await shop.create("/new", "/a")
        await until(lambda: len(app.service.follower.table) == 1, "the change arrives")
        assert (await asyncio.gather(*(ask(app, "/new") for _ in range(10))))[0].status == 301
