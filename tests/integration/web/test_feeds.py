"""Feeds of sources, and requests to sites that a caller waits for."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from tests.support.newsroom import Answer, MovableClock, Newsroom
from tests.support.prose import prose
from tests.support.publications import alternate, page, rss
from tests.support.scheduling import watch

from outrider.web.site_requests import AT_ONCE

ARTICLE = "/news/2024/05/17/the-bridge-opens"


@pytest.fixture
async def room():
    """A site with a feed and an article."""
    clock = MovableClock()
    async with Newsroom(clock) as opened:
        opened.publish("/", page("The Paper", head=alternate("/feed.xml")))
        opened.publish("/feed.xml", rss([(opened.origin() + ARTICLE, clock.now())]))
        text = f"<title>Title</title><h2>Headline</h2><div class=b><p>{prose('b', 80)}</p></div>"
        opened.publish(
            ARTICLE, Answer(body=text.encode(), headers={"Content-Type": "text/html; charset=utf-8"})
        )
        yield opened


async def watched(api, room, **values):
    answer = await api.post("/api/v1/sources", {"url": f"{room.origin()}/", "name": "paper"} | values)
    assert answer.status_code == 201, answer.text
    return answer.json()


async def test_feeds_are_listed_with_their_state(api, operator):
    blatt = await watch(operator, "blatt", feed="https://blatt.test/a https://blatt.test/b")
    await watch(operator, "welt", feed="https://welt.test/a", sitemap="https://welt.test/sitemap.xml")
    await api.call("PATCH", f"/api/v1/sources/{blatt.source_id}/feed-disable", json={"reason": "noise"})

    await operator.run(
        lambda db: db.execute(
            "UPDATE channel SET errors = 2, last_error = 'timeout' WHERE url = 'https://welt.test/a'"
        )
    )

    first = (await api.get("/api/v1/feeds?limit=3")).json()
    second = (await api.get(f"/api/v1/feeds?limit=3&after={first['next']}")).json()

    assert (first["total"], len(first["items"]), len(second["items"]), second["next"]) == (4, 3, 1, None)
    [disabled, *_] = first["items"]
    assert (disabled["source_name"], disabled["disable_reason"]) == ("blatt", "operator: noise")
    assert (disabled["disabled_at"] is not None, disabled["next_poll_at"]) == (True, None)
    for query, total in (
        ("kind=sitemap", 1),
        ("kind=feed", 3),
        ("source=blatt", 2),
        ("disabled=true", 2),
        ("disabled=false", 2),
        ("failing=true", 1),
        ("failing=false", 3),
        ("search=welt", 2),
    ):
        found = (await api.get(f"/api/v1/feeds?{query}")).json()
        assert (query, found["total"], len(found["items"])) == (query, total, total)
    [failing] = (await api.get("/api/v1/feeds?failing=true")).json()["items"]
    assert (failing["url"], failing["errors"], failing["last_error"]) == ("https://welt.test/a", 2, "timeout")
    assert datetime.fromisoformat(failing["next_poll_at"]).utcoffset() == timedelta()
    assert (await api.get("/api/v1/feeds?source=nobody")).status_code == 404
    assert (await api.get("/api/v1/feeds", role="anonymous")).status_code == 401


async def test_feeds_are_switched_and_sitemaps_stay(api, operator):
    source = await watch(operator, "blatt", feed="https://blatt.test/a", sitemap="https://blatt.test/s.xml")
    path = f"/api/v1/sources/{source.public_id}"

    off = await api.call("PATCH", f"{path}/feed-disable", json={"reason": "noise"})
    twice = await api.call("PATCH", f"{path}/feed-disable", json={"reason": "noise"})
    await operator.run(lambda db: db.execute("UPDATE channel SET errors = 4, last_error = 'timeout'"))
    on = await api.call("PATCH", f"{path}/feed-enable")
    again = await api.call("PATCH", f"{path}/feed-enable")

    assert {each["kind"]: each["disabled_at"] is None for each in off.json()["channels"]} == {
        "feed": False,
        "sitemap": True,
    }
    [reason] = [each["disable_reason"] for each in off.json()["channels"] if each["kind"] == "feed"]
    assert reason == "operator: noise"
    assert all(each["disabled_at"] is None for each in on.json()["channels"])
    [feed] = [each for each in on.json()["channels"] if each["kind"] == "feed"]
    assert (feed["disable_reason"], feed["errors"], feed["last_error"]) == (None, 0, None)
    assert datetime.fromisoformat(feed["next_poll_at"]) <= datetime.now(UTC)
    assert (twice.status_code, twice.json()["error"]) == (409, "the feeds of 'blatt' are disabled already")
    assert (again.status_code, again.json()["error"]) == (409, "the feeds of 'blatt' are enabled already")


async def test_a_poll_is_due_at_once(api, operator):
    source = await watch(operator, "blatt", feed="https://blatt.test/a https://blatt.test/off")
    await operator.run(
        lambda db: db.execute(
            "UPDATE channel SET disabled_at = now(), disable_reason = 'x' WHERE url LIKE '%/off'"
        )
    )
    await operator.run(lambda db: db.execute("UPDATE url SET next_fetch_at = now() + interval '1 hour'"))

    answer = await api.post(f"/api/v1/sources/{source.source_id}/poll")

    assert (answer.status_code, answer.json()["channels"], answer.json()["made_due"]) == (202, 1, 1)
    [feed] = (await api.get("/api/v1/feeds?disabled=false")).json()["items"]
    due = await operator.run(
        lambda db: db.fetchval("SELECT $1::text::timestamptz <= now()", feed["next_poll_at"])
    )
    assert due


async def test_what_cannot_be_polled_says_why(api, operator):
    nothing = await watch(operator, "leer")
    disabled = await watch(operator, "aus", enabled="no")

    without = await api.post(f"/api/v1/sources/{nothing.source_id}/poll")
    off = await api.post(f"/api/v1/sources/{disabled.source_id}/poll")
    search = await api.post(f"/api/v1/sources/{disabled.source_id}/discover-feed")

    assert (without.status_code, "no feed" in without.json()["error"]) == (409, True)
    assert (off.status_code, off.json()["error"]) == (409, "'aus' is disabled: enable it first")
    assert search.status_code == 409


async def test_a_search_finds_the_feed_and_keeps_it(api, room):
    source = await watched(api, room)

    answer = await api.post(f"/api/v1/sources/{source['id']}/discover-feed")

    assert answer.status_code == 200, answer.text
    assert (answer.json()["added"], answer.json()["found"]["reached"]) == (1, True)
    [feed] = (await api.get("/api/v1/feeds")).json()["items"]
    assert feed["url"] == f"{room.origin()}/feed.xml"
    assert room.asked("/robots.txt")
    again = await api.post(f"/api/v1/sources/{source['id']}/discover-feed")
    assert again.json()["added"] == 0


async def test_metadata_of_a_site_is_proposed_and_nothing_is_stored(api, room):
    text = "".join(f"<p>{prose(f'part {number}', 20)}</p>" for number in range(8))
    story = f"<main><header><h1>The bridge opens</h1></header><div id=story>{text}</div></main>"
    html = {"Content-Type": "text/html; charset=utf-8"}
    room.publish(ARTICLE, Answer(body=f"<title>The bridge opens</title>{story}".encode(), headers=html))

    answer = await api.post("/api/v1/sources/fetch-metadata", {"url": room.origin()})

    told = answer.json()
    assert (told["reached"], told["name"], told["mode"]) == (True, "The Paper", "feed")
    assert told["feeds"] == [f"{room.origin()}/feed.xml"]
    assert told["selectors"] == {"article": {"title": "h1", "body": "#story"}}
    assert (await api.get("/api/v1/sources")).json()["total"] == 0


async def test_a_search_says_how_each_feed_was_found_and_stores_nothing(api, room):
    answer = await api.post("/api/v1/sources/search", {"url": room.origin(), "propose": True})

    assert answer.status_code == 200, answer.text
    found = answer.json()["found"]
    [feed] = found["feeds"]
    assert (feed["url"], feed["found_by"], feed["items"]) == (f"{room.origin()}/feed.xml", "alternate", 1)
    assert (found["is_reached"], found["name"]) == (True, "The Paper")
    assert (await api.get("/api/v1/sources")).json()["total"] == 0


async def test_a_page_is_read_with_selectors_and_nothing_is_stored(api, room):
    body = {"url": room.origin() + ARTICLE, "selectors": {"article": {"title": "h2", "body": ".b"}}}

    told = (await api.post("/api/v1/sources/test-crawl", body)).json()

    assert (told["ok"], told["status"]) == (True, 200)
    assert told["fields"]["title"] == {"value": "Headline", "from": "selector article.title"}
    async with api.context.connection() as db:
        assert await db.fetchval("SELECT count(*) FROM url") == 0


async def test_robots_txt_is_obeyed(api, room):
    room.publish("/robots.txt", Answer(body=b"User-agent: *\nDisallow: /news/"))

    told = (await api.post("/api/v1/sources/test-crawl", {"url": room.origin() + ARTICLE})).json()

    assert (told["ok"], told["reason"]) == (False, "robots_blocked")
    assert room.asked(ARTICLE) == []


@pytest.mark.parametrize("path", ["fetch-metadata", "test-crawl", "search"])
@pytest.mark.parametrize(
    ("body", "status"),
    [
        pytest.param({"url": "ftp://x"}, 400, id="another scheme"),
        pytest.param({}, 422, id="no URL"),
        pytest.param({"url": "https://example.com/"}, 400, id="the public web without a contact"),
        pytest.param({"url": "http://x.test", "colour": "red"}, 422, id="an unknown field"),
    ],
)
async def test_a_wrong_request_is_refused(api, path, body, status):
    assert (await api.post(f"/api/v1/sources/{path}", body)).status_code == status


async def test_an_unknown_template_is_refused(api, room):
    body = {"url": room.origin() + ARTICLE, "template": "wordpess"}

    answer = await api.post("/api/v1/sources/test-crawl", body)

    assert (answer.status_code, "wordpess" in answer.json()["error"]) == (400, True)


async def test_too_many_requests_to_sites_are_refused(api, room):
    room_for = asyncio.Semaphore(AT_ONCE)
    api.context.parts["site_requests"] = room_for
    for _ in range(AT_ONCE):
        await room_for.acquire()

    answer = await api.post("/api/v1/sources/fetch-metadata", {"url": room.origin()})

    assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
    assert room.asked() == []
