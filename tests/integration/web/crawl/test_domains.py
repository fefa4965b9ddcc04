"""`/api/v1/domains`: hosts, their robots.txt, and what an operator changes."""

from datetime import UTC, datetime

import pytest

from outrider.robots.store import RobotsStore
from outrider.urls import host_id_of

RULES = b"User-agent: *\nDisallow: /private\nCrawl-delay: 2\n"


async def _hosts(api, query=""):
    return {item["host"] for item in (await api.get(f"/api/v1/domains{query}")).json()["items"]}


async def _patch(api, host, body, **more):
    return await api.call("PATCH", f"/api/v1/domains/{host}", json=body, **more)


async def test_hosts_are_listed_by_filters(api, crawl):
    await _patch(api, "other.test", {"state": "blocked", "reason": "asked us to"})
    await crawl.set_host("site.test", breaker="1")

    assert await _hosts(api) == {"site.test", "other.test"}
    assert await _hosts(api, "?search=SITE") == {"site.test"}
    assert await _hosts(api, "?blocked=true") == {"other.test"}
    assert await _hosts(api, "?blocked=false&breaker=open") == {"site.test"}
    assert (await api.get("/api/v1/domains?breaker=open")).json()["total"] == 1
    assert (await api.get("/api/v1/domains?sort_by=colour")).status_code == 422


async def test_each_host_of_the_list_has_its_pages_delay_block_and_breaker(api, crawl):
    await _patch(api, "other.test", {"state": "blocked", "reason": "asked us to", "delay_ms": 9_000})
    await crawl.set_host("site.test", breaker="1", delay_ms="700")
    await crawl.run(
        lambda db: db.execute("UPDATE host_info SET pages = 5 WHERE host_id = $1", host_id_of("site.test"))
    )

    listed = (await api.get("/api/v1/domains")).json()["items"]

    shown = ("host", "pages", "delay_ms", "is_blocked", "breaker")
    assert [tuple(item[name] for name in shown) for item in listed] == [
        ("site.test", 5, 700, False, "open"),
        ("other.test", 0, 9_000, True, "closed"),
    ]


async def test_one_host_in_full(api, crawl):
    await crawl.run(
        lambda db: db.execute(
            "UPDATE host_info SET requests = 4, busy_ms = 1000 WHERE host_id = $1", host_id_of("other.test")
        )
    )
    host = (await api.get("/api/v1/domains/OTHER.test")).json()

    assert (host["host"], host["queued"], host["is_blocked"], host["breaker"]) == (
        "other.test",
        1,
        False,
        "closed",
    )
    assert (host["requests"], host["answer_ms"]) == (4, 250)
    assert (await api.get("/api/v1/domains/nobody.test")).status_code == 404
    assert (await api.get("/api/v1/domains/a%20b")).status_code == 400


async def test_robots_are_shown_and_a_path_is_tested(api, crawl):
    file = {"host_id": host_id_of("site.test"), "origin": "http://site.test", "status": 200, "body": RULES}
    await crawl.run(lambda db: RobotsStore().remember(db, **file, life_s=86_400))

    plain = (await api.get("/api/v1/domains/site.test/robots")).json()
    tested = (await api.get("/api/v1/domains/site.test/robots?path=/private/x")).json()

    assert (plain["host"], plain["files"][0]["crawl_delay"], "allowed" in plain["files"][0]) == (
        "site.test",
        2.0,
        False,
    )
    assert plain["files"][0]["body"] == RULES.decode()
    assert (tested["files"][0]["allowed"], tested["files"][0]["line"]) == (False, 2)
    assert (await api.get("/api/v1/domains/other.test/robots")).status_code == 404


async def test_a_host_is_blocked_allowed_and_slowed_down(api, crawl):
    blocked = await _patch(api, "site.test", {"state": "blocked", "reason": "asked us to", "delay_ms": 9_000})
    assert (blocked.json()["is_blocked"], blocked.json()["block_reason"]) == (True, "asked us to")
    assert (blocked.json()["asked_delay_ms"], blocked.json()["delay_ms"]) == (9_000, 9_000)

    allowed = await _patch(api, "site.test", {"state": "allowed"})
    assert (allowed.json()["is_blocked"], allowed.json()["asked_delay_ms"]) == (False, 9_000)

    usual = await _patch(api, "site.test", {"delay_ms": None, "state": "allowed"})
    assert (usual.json()["asked_delay_ms"], usual.json()["delay_ms"]) == (None, 0)  # the delay of this server


@pytest.mark.parametrize(
    ("host", "body", "status"),
    [
        ("site.test", {}, 400),
        ("site.test", {"state": "blocked"}, 400),
        ("site.test", {"state": "blocked", "reason": " "}, 400),
        ("site.test", {"delay_ms": -1}, 422),
        ("site.test", {"delay_ms": 10**12}, 422),
        ("site.test", {"state": "gone"}, 422),
        ("nobody.test", {"delay_ms": 5}, 404),
        ("nobody.test", {"state": "allowed"}, 404),
    ],
)
async def test_a_wrong_change_is_refused_and_changes_nothing(api, crawl, host, body, status):
    answer = await _patch(api, host, body)

    assert (answer.status_code, bool(answer.json()["error"])) == (status, True)
    assert not (await api.get("/api/v1/domains/site.test")).json()["is_blocked"]


async def test_a_refused_part_of_a_change_takes_the_whole_back(api, operator):
    answer = await _patch(api, "new.test", {"state": "blocked", "reason": "x" * 501})

    assert answer.status_code == 422
    assert await _hosts(api) == set()


async def test_a_host_that_is_not_known_can_be_blocked_beforehand(api):
    assert (await _patch(api, "new.test", {"state": "blocked", "reason": "a trap"})).status_code == 200
    assert await _hosts(api, "?blocked=true") == {"new.test"}


async def test_a_change_of_a_host_that_was_changed_meanwhile_is_refused(api, crawl):
    tag = (await api.get("/api/v1/domains/site.test")).headers["etag"]
    first = await _patch(api, "site.test", {"delay_ms": 5_000}, headers={"If-Match": tag})
    second = await _patch(api, "site.test", {"delay_ms": 7_000}, headers={"If-Match": tag})

    assert (first.status_code, second.status_code) == (200, 412)
    assert (await api.get("/api/v1/domains/site.test")).json()["asked_delay_ms"] == 5_000


async def test_a_reset_lifts_block_penalty_and_breaker(api, crawl):
    await _patch(api, "other.test", {"state": "blocked", "reason": "asked us to"})
    await crawl.set_host("other.test", breaker="1", penalty_ms="4000")
    host_id, origin = host_id_of("other.test"), "http://other.test"
    file = {"host_id": host_id, "origin": origin, "status": 200, "body": RULES, "life_s": 86_400}
    await crawl.run(lambda db: RobotsStore().remember(db, **file))

    host = (await api.post("/api/v1/admin/domains/other.test/reset")).json()
    [robots] = (await api.get("/api/v1/domains/other.test/robots")).json()["files"]

    assert datetime.fromisoformat(robots["expires_at"]) <= datetime.now(UTC)  # it is fetched again
    assert host["block_reason"] is None
    assert host["due_at"] is not None  # its queued URL is claimed after the delay of the host
    assert (host["is_blocked"], host["penalty_ms"], host["breaker"]) == (False, 0, "closed")
    assert (await api.post("/api/v1/admin/domains/nobody.test/reset")).status_code == 404


async def test_requests_over_time(api, crawl):
    await crawl.run(
        lambda db: db.execute(
            "INSERT INTO fetch_log (at, host_id, url_hash, elapsed_ms, wire_bytes, http_status, outcome) "
            "SELECT now() - n * interval '40 minutes', $1, gen_random_uuid(), 100, 10, "
            "CASE WHEN n = 3 THEN 500 ELSE 200 END, CASE WHEN n = 3 THEN 'rejected' ELSE 'fetched' END "
            "FROM generate_series(0, 3) AS n",
            host_id_of("site.test"),
        )
    )

    shown = (await api.get("/api/v1/domains/site.test/requests?hours=3")).json()

    assert sum(step["requests"] for step in shown["steps"]) == 4
    assert (shown["steps"][0]["failed"], shown["is_complete"]) == (1, True)
    assert (await api.get("/api/v1/domains/site.test/requests?hours=744&step_minutes=1")).status_code == 400
    assert (await api.get("/api/v1/domains/nobody.test/requests")).status_code == 404


@pytest.mark.parametrize("path", ["", "/site.test", "/site.test/robots", "/site.test/requests"])
async def test_only_users_may_read(api, path):
    assert (await api.get(f"/api/v1/domains{path}", role="anonymous")).status_code == 401


@pytest.mark.parametrize(
    ("method", "path"), [("PATCH", "domains/site.test"), ("POST", "admin/domains/site.test/reset")]
)
async def test_only_administrators_may_change(api, crawl, method, path):
    for role, status in (("anonymous", 401), ("user", 403)):
        answer = await api.call(method, f"/api/v1/{path}", role, json={"delay_ms": 1})
        assert answer.status_code == status
