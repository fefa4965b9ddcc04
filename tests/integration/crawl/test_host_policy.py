"""What hosts in trouble experience: pauses they ask for, retries in minutes, a circuit that opens."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from tests.support.site import Answer, html
from tests.support.worker import paths, plain

HOST = "127.0.0.2"


def broken(status: int, **headers: str) -> Answer:
    return Answer(status=status, headers={name.replace("_", "-"): value for name, value in headers.items()})


async def _rests_s(crawl) -> float:
    host = await crawl.operator.host(HOST)
    return (host["next_allowed_at"] - datetime.now(UTC)).total_seconds()


@pytest.mark.parametrize("form", ["seconds", "date"])
async def test_429_pauses_the_host_for_as_long_as_it_asks(crawl, serve, form):
    later = datetime.now(UTC) + timedelta(seconds=900)
    wish = "900" if form == "seconds" else format_datetime(later, usegmt=True)
    site = serve({"/1": broken(429, Retry_After=wish)})
    await crawl.seed(site.url + "1")
    await crawl.run()

    assert await _rests_s(crawl) == pytest.approx(900, abs=60)
    row = await crawl.row(site.url + "1")
    assert (row["status"], row["retry_count"], row["last_error"]) == ("pending", 0, "http_429")


async def test_429_doubles_the_delay(crawl, serve):
    crawl.set("hosts", delay_ms=200)
    site = serve({"/1": broken(429)})
    await crawl.seed(site.url + "1")
    await crawl.run()
    await crawl.forget_waits()
    await crawl.run()

    host = await crawl.operator.host(HOST)
    assert (host["delay_ms"], host["penalty_ms"]) == (200, 2_200)
    assert paths(site) == ["/1", "/1"]


async def test_a_few_answers_of_429_cost_a_url_nothing(crawl, serve):
    site = serve({"/1": [*([broken(429)] * 4), html("at last")]})
    await crawl.seed(site.url + "1")
    for _ in range(5):
        await crawl.run()
        await crawl.forget_waits()

    assert len(paths(site)) == 5
    assert await crawl.states() == {site.url + "1": "fetched"}


async def test_a_permanent_429_backs_off_and_ends_after_about_a_day(crawl, serve):
    """Each run is a fresh worker, so what counts the answers is stored (RTY-09, CLM-10)."""
    site = serve({"/1": broken(429)})
    await crawl.seed(site.url + "1")
    waits, attempts = [], []
    for _ in range(12):
        await crawl.run()
        row = await crawl.row(site.url + "1")
        if row["next_fetch_at"]:
            waits.append(round((row["next_fetch_at"] - row["last_fetched_at"]) / timedelta(minutes=1)))
        attempts.append(row["retry_count"])
        await crawl.forget_waits()
    await crawl.run()

    assert waits == [1, 2, 4, 8, 16, 32, 64, 128, 256, 480, 480]
    assert attempts == [0] * 12
    assert await crawl.states() == {site.url + "1": "dead: max_retries:http_429"}
    assert len(paths(site)) == 12
    assert sum(waits) == pytest.approx(24.5 * 60, abs=5)


async def test_a_page_that_alone_is_always_refused_ends_as_well(crawl, serve):
    """Between two of its answers the host gives a good one, as a feed that is polled would get."""
    crawl.set("hosts", penalty_cap_ms=0)  # both are asked in every run
    site = serve({"/1": broken(429), "/2": html("all is well")})
    await crawl.seed(site.url + "1", site.url + "2")
    for _ in range(14):
        await crawl.run()
        await crawl.operator.requeue(site.url + "2")
        await crawl.forget_waits()

    assert paths(site).count("/1") == 12
    assert (await crawl.states())[site.url + "1"] == "dead: max_retries:http_429"


async def test_a_long_queue_does_not_die_of_one_429_for_each_url(crawl, serve):
    """Sixteen answers of 429 in a row from one host, two to each of its URLs, and then it relents."""
    urls = {f"/{n}": [broken(429), broken(429), html(f"page {n}")] for n in range(8)}
    site = serve(urls)
    await crawl.seed(*(site.url + path[1:] for path in urls))
    for _ in range(30):
        await crawl.run()
        await crawl.forget_waits()
        if set((await crawl.states()).values()) == {"fetched"}:
            break

    assert set((await crawl.states()).values()) == {"fetched"}


async def test_a_host_that_keeps_answering_429_is_asked_ever_more_rarely(crawl, serve):
    """Its whole queue rests, and not only the URL that was refused."""
    urls = {f"/{n}": broken(429) for n in range(20)}
    site = serve(urls)
    await crawl.seed(*(site.url + path[1:] for path in urls))
    rests = {}
    for _ in range(8):
        await crawl.run()
        rests[len(paths(site))] = round(await _rests_s(crawl) / 60)
        await crawl.forget_waits()

    assert [rests.get(asked) for asked in (5, 6, 7, 8, 9)] == [16, 32, 64, 128, 256]
    assert set((await crawl.states()).values()) == {"pending"}


async def test_503_is_tried_three_times_over_minutes_then_dead(crawl, serve):
    site = serve({"/1": broken(503)})
    await crawl.seed(site.url + "1")
    seen = []
    for _ in range(3):
        await crawl.run()
        row = await crawl.row(site.url + "1")
        waits = None if row["next_fetch_at"] is None else row["next_fetch_at"] - row["last_fetched_at"]
        seen.append((row["status"], row["retry_count"], row["last_error"], waits))
        await crawl.forget_waits()
    await crawl.run()

    assert seen == [
        ("pending", 1, "http_503", timedelta(minutes=1)),
        ("pending", 2, "http_503", timedelta(minutes=2)),
        ("dead", 3, "max_retries:http_503", None),
    ]
    assert len(paths(site)) == 3


async def test_503_with_retry_after_waits_as_asked(crawl, serve):
    site = serve({"/1": broken(503, Retry_After="1200")})
    await crawl.seed(site.url + "1")
    await crawl.run()

    row = await crawl.row(site.url + "1")
    assert row["next_fetch_at"] - row["last_fetched_at"] == timedelta(minutes=20)
    assert await _rests_s(crawl) == pytest.approx(1200, abs=60)


@pytest.mark.parametrize("status", [429, 503])
async def test_retry_after_beyond_an_hour_holds_for_the_host_and_through_a_restart(crawl, serve, status):
    """Every run is a fresh worker; the host's other URL is not asked either, and loses no attempt."""
    urls = {f"/{n}": broken(status, Retry_After="21600") for n in (1, 2)}
    site = serve(urls)
    await crawl.seed(*(site.url + path[1:] for path in urls))
    await crawl.run()
    await crawl.operator.run(
        lambda db: db.execute("UPDATE url SET next_fetch_at = now() WHERE next_fetch_at IS NOT NULL")
    )
    await crawl.run()

    [asked] = paths(site)
    [other] = set(urls) - {asked}
    assert await _rests_s(crawl) == pytest.approx(21_600, abs=60)
    row = await crawl.row(site.url + other[1:])
    assert (row["status"], row["retry_count"]) == ("pending", 0)


async def test_a_ceiling_that_is_set_holds_for_retry_after(crawl, serve):
    crawl.set("hosts", pause_cap=timedelta(days=2))
    site = serve({"/1": broken(429, Retry_After=str(5 * 86_400))})
    await crawl.seed(site.url + "1")
    await crawl.run()

    assert await _rests_s(crawl) == pytest.approx(2 * 86_400, abs=60)


async def test_a_broken_connection_is_tried_again_within_the_visit(crawl, serve):
    site = serve({"/1": [Answer(hang_up=True), Answer(hang_up=True), html("at last")]})
    await crawl.seed(site.url + "1")
    await crawl.run()

    assert len(paths(site)) == 3
    row = await crawl.row(site.url + "1")
    assert (row["status"], row["retry_count"]) == ("fetched", 0)


async def test_a_5xx_is_not_tried_again_within_the_visit(crawl, serve):
    site = serve({"/1": [broken(500), html("at last")]})
    await crawl.seed(site.url + "1")
    await crawl.run()

    assert len(paths(site)) == 1


@pytest.mark.parametrize(
    ("status", "reason"),
    [(404, "not_found"), (410, "gone"), (400, "unexpected_status_400"), (418, "unexpected_status_418")],
)
async def test_a_refusal_is_final(crawl, serve, status, reason):
    site = serve({"/1": broken(status)})
    await crawl.seed(site.url + "1")
    await crawl.run()

    row = await crawl.row(site.url + "1")
    assert (row["status"], row["last_error"], row["http_status"]) == ("dead", reason, status)
    assert len(paths(site)) == 1


async def test_five_failures_open_the_circuit_and_cost_the_urls_nothing(crawl, serve):
    """The fifth failure opens it: its URL and those not asked yet stay queued, with the attempts they had."""
    urls = {f"/{n}": broken(500) for n in range(8)}
    site = serve(urls)
    await crawl.seed(*(site.url + path[1:] for path in urls))
    await crawl.run()

    rows = [await crawl.row(site.url + path[1:]) for path in urls]
    assert len(paths(site)) == 5
    assert [row["status"] for row in rows] == ["pending"] * 8
    assert sorted(row["retry_count"] for row in rows) == [0, 0, 0, 0, 1, 1, 1, 1]
    assert await _rests_s(crawl) == pytest.approx(60, abs=15)
    assert (await crawl.operator.host(HOST))["breaker"] == 1


async def test_a_resting_host_is_probed_by_one_request_and_rests_again(crawl, serve):
    urls = {f"/{n}": broken(500) for n in range(8)}
    site = serve(urls)
    await crawl.seed(*(site.url + path[1:] for path in urls))
    await crawl.run()
    await crawl.forget_waits()
    await crawl.run()

    assert len(paths(site)) == 6
    assert await _rests_s(crawl) == pytest.approx(120, abs=15)


async def test_two_good_answers_close_the_circuit(crawl, serve):
    urls = {f"/{n}": [broken(500), html(f"page {n}")] for n in range(5)}
    site = serve(urls)
    await crawl.seed(*(site.url + path[1:] for path in urls))
    await crawl.run()
    opened = (await crawl.operator.host(HOST))["breaker"]
    await crawl.forget_waits()
    await crawl.run()

    assert opened == 1
    assert (await crawl.operator.host(HOST))["breaker"] == 0
    assert set((await crawl.states()).values()) == {"fetched"}


async def test_404s_do_not_open_the_circuit(crawl, serve):
    urls = {f"/{n}": broken(404) for n in range(8)}
    site = serve(urls)
    await crawl.seed(*(site.url + path[1:] for path in urls))
    await crawl.run()

    assert len(paths(site)) == 8
    assert (await crawl.operator.host(HOST))["breaker"] == 0


async def test_new_rules_of_robots_txt_keep_the_penalty(crawl, serve):
    rules = [plain(f"User-agent: *\nCrawl-delay: {delay}\n") for delay in (0.1, 0.2)]
    site = serve({"/robots.txt": rules, "/1": [broken(429), html("at last")]})
    await crawl.seed(site.url + "1")
    await crawl.run()
    punished = await crawl.operator.host(HOST)
    await crawl.operator.run(lambda db: db.execute("UPDATE robots SET expires_at = now()"))
    await crawl.forget_waits()
    await crawl.run()

    host = await crawl.operator.host(HOST)
    assert (punished["delay_ms"], punished["penalty_ms"]) == (100, 1_000)
    assert (host["delay_ms"], host["penalty_ms"]) == (200, 1_000)
    assert await crawl.states() == {site.url + "1": "fetched"}


async def test_each_probe_of_a_doubtful_host_has_a_lease_of_its_own(crawl, serve):
    """One good probe says little: what follows is claimed again, and may be claimed by nobody."""
    pages = {f"/{n}": html(f"page {n}") for n in range(4)}
    site = serve(pages)
    await crawl.seed(*(site.url + path[1:] for path in pages))
    await crawl.operator.set_host(HOST, breaker="1", failures="5", trips="1")
    await crawl.run()

    host = await crawl.operator.host(HOST)
    assert host["breaker"] == 0
    assert host["lease_seq"] >= 3  # a probe, another one, and the rest


async def test_a_failure_after_one_good_probe_opens_the_circuit_again(crawl, serve):
    site = serve({"/1": html("fine"), "/2": broken(500), "/3": html("fine")})
    await crawl.seed(*(site.url + str(n) for n in (1, 2, 3)))
    await crawl.operator.run(lambda db: db.execute("UPDATE url SET prio = 10 - right(url, 1)::int"))
    await crawl.operator.set_host(HOST, breaker="1", failures="5", trips="1")
    await crawl.run()

    assert paths(site) == ["/1", "/2"]
    assert (await crawl.operator.host(HOST))["breaker"] == 1
    assert await _rests_s(crawl) == pytest.approx(120, abs=15)
