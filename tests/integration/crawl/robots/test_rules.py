"""robots.txt in a crawl: asked first, obeyed, waited for, and heard when it changes."""

from datetime import UTC, datetime
from itertools import pairwise

import pytest
from tests.support.site import Answer, html
from tests.support.worker import paths, plain

PAGES = {"/": html('<a href="/open">1</a> <a href="/closed">2</a>'), "/open": html("a"), "/closed": html("b")}


def everything(site):
    return [asked.path for asked in site.log()]


async def test_robots_txt_is_asked_for_once_and_before_any_page(crawl, serve):
    site = serve(PAGES)
    await crawl.seed(site.url)
    await crawl.run()

    asked = everything(site)
    assert asked[0] == "/robots.txt"
    assert sorted(asked[1:]) == ["/", "/closed", "/open"]


async def test_what_it_disallows_is_never_requested(crawl, serve):
    site = serve(PAGES, robots=plain("User-agent: *\nDisallow: /closed\n"))
    await crawl.seed(site.url)
    await crawl.run()

    assert "/closed" not in paths(site)
    assert (await crawl.states())[site.url + "closed"] == "dead: robots_blocked"
    assert (await crawl.operator.totals()).others["dead.robots_blocked"] == 1


async def test_it_is_not_asked_again_by_another_worker_within_its_life(crawl, serve):
    site = serve(PAGES)
    await crawl.seed(site.url)
    await crawl.run()
    await crawl.operator.requeue(site.url)
    await crawl.run()

    assert everything(site).count("/robots.txt") == 1
    assert paths(site).count("/") == 2


async def test_a_missing_one_allows_everything(crawl, serve):
    site = serve(PAGES, robots=Answer(status=404))
    await crawl.seed(site.url)
    await crawl.run()

    assert set((await crawl.states()).values()) == {"fetched"}


@pytest.mark.parametrize(
    "answer",
    [Answer(status=503), Answer(status=500), Answer(hang_up=True), Answer(status=429)],
    ids=["503", "500", "no answer", "429"],
)
async def test_while_it_cannot_be_read_the_host_rests_and_nothing_is_lost(crawl, serve, answer):
    site = serve(PAGES, robots=answer)
    await crawl.seed(site.url)
    await crawl.run()

    row = await crawl.row(site.url)
    host = await crawl.operator.host("127.0.0.2")
    rests_s = (host["next_allowed_at"] - datetime.now(UTC)).total_seconds()
    assert everything(site) == ["/robots.txt"] * 3
    assert (row["status"], row["retry_count"]) == ("pending", 0)
    assert rests_s == pytest.approx(3600, abs=60)


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize(
    ("asked", "rests"), [("7200", 7_200), ("999999", 86_400)], ids=["as long as asked", "up to the ceiling"]
)
async def test_when_it_asks_for_patience_the_host_is_left_alone(crawl, serve, status, asked, rests):
    site = serve(PAGES, robots=Answer(status=status, headers={"Retry-After": asked}))
    await crawl.seed(site.url)
    await crawl.run()

    host = await crawl.operator.host("127.0.0.2")
    rests_s = (host["next_allowed_at"] - datetime.now(UTC)).total_seconds()
    assert everything(site) == ["/robots.txt"]
    assert rests_s == pytest.approx(rests, abs=60)
    assert (await crawl.row(site.url))["status"] == "pending"


async def test_once_it_can_be_read_again_the_crawl_goes_on(crawl, serve):
    failures = [Answer(status=503)] * 3
    site = serve(PAGES | {"/robots.txt": [*failures, plain("User-agent: *\nDisallow: /closed\n")]})
    await crawl.seed(site.url)
    await crawl.run()
    await crawl.forget_waits()
    await crawl.run()

    assert (await crawl.states())[site.url + "open"] == "fetched"
    assert (await crawl.operator.host("127.0.0.2"))["robots_failures"] == 0


async def test_a_host_that_stays_silent_is_asked_once_an_hour(crawl, serve):
    site = serve(PAGES, robots=Answer(status=503))
    await crawl.seed(site.url)
    await crawl.run()
    await crawl.forget_waits()
    await crawl.run()

    assert everything(site) == ["/robots.txt"] * 4


async def test_changed_rules_wake_what_they_had_blocked(crawl, serve):
    rules = [plain("User-agent: *\nDisallow: /closed\n"), plain("User-agent: *\nDisallow: /never\n")]
    site = serve(PAGES | {"/robots.txt": rules, "/never": html("c")})
    await crawl.seed(site.url, site.url + "never")
    await crawl.run()
    before = await crawl.states()
    await crawl.operator.run(lambda db: db.execute("UPDATE robots SET expires_at = now()"))
    await crawl.operator.requeue(site.url)
    await crawl.run()

    after = await crawl.states()
    assert before[site.url + "closed"] == "dead: robots_blocked"
    assert after[site.url + "closed"] == "fetched"
    totals = await crawl.operator.totals()
    assert (totals.pending, totals.dead) == (0, 0)


async def test_crawl_delay_is_kept_between_all_requests(crawl, serve):
    site = serve(PAGES, robots=plain("User-agent: *\nCrawl-delay: 0.3\n"))
    await crawl.seed(site.url)
    await crawl.run()

    log = site.log()
    gaps = [after.started_monotonic - before.ended_monotonic for before, after in pairwise(log)]
    assert len(log) == 4
    assert min(gaps) >= 0.3 - 0.001


async def test_a_redirected_robots_txt_is_followed(crawl, serve):
    moved = Answer(status=301, headers={"Location": "/rules.txt"})
    site = serve(PAGES | {"/robots.txt": moved, "/rules.txt": plain("User-agent: *\nDisallow: /closed\n")})
    await crawl.seed(site.url)
    await crawl.run()

    assert everything(site)[:3] == ["/robots.txt", "/rules.txt", "/"]
    assert "/closed" not in paths(site)


async def test_a_robots_txt_that_redirects_to_a_private_address_is_missing_and_not_asked_for_again(
    crawl, serve
):
    private = Answer(status=301, headers={"Location": "http://169.254.169.254/robots.txt"})
    site = serve(PAGES, robots=private)
    await crawl.seed(site.url)
    await crawl.run()
    await crawl.operator.requeue(site.url)
    await crawl.run()

    assert sorted(everything(site)) == ["/", "/", "/closed", "/open", "/robots.txt"]


async def test_a_source_may_ignore_it_and_so_may_the_operator(crawl, serve):
    site = serve(PAGES, robots=plain("User-agent: *\nDisallow: /\n"))
    await crawl.seed(site.url, ignore_robots=True)
    await crawl.run()
    crawl.set("crawl", respect_robots=False)
    await crawl.seed(site.url + "closed")
    await crawl.run()

    assert "/robots.txt" not in everything(site)
    assert set((await crawl.states()).values()) == {"fetched"}


async def test_each_port_has_rules_of_its_own(crawl, serve):
    open_site = serve(PAGES)
    closed_site = serve(PAGES, robots=plain("User-agent: *\nDisallow: /\n"))
    await crawl.seed(open_site.url, closed_site.url)
    await crawl.run()

    assert paths(closed_site) == []
    assert "/closed" in paths(open_site)


@pytest.mark.parametrize(
    "answers",
    [
        pytest.param([Answer(status=503), Answer(status=503), Answer(status=404)], id="tried again"),
        pytest.param(Answer(status=301, headers={"Location": "/rules.txt"}), id="redirected"),
    ],
)
async def test_the_delay_people_ask_for_holds_before_any_rules_are_known(crawl, serve, answers):
    site = serve(PAGES | {"/robots.txt": answers})
    await crawl.seed(site.url, delay_s=0.3)
    await crawl.run()

    log = site.log()
    gaps = [after.started_monotonic - before.ended_monotonic for before, after in pairwise(log)]
    assert len(log) >= 5
    assert min(gaps) >= 0.3 - 0.001


async def test_a_new_host_waits_for_the_asked_delay_and_not_for_the_default_of_its_row(
    crawl, serve, monkeypatch
):
    monkeypatch.setattr("outrider.frontier.lease.DEFAULT_DELAY_MS", 3_600_000)
    await crawl.operator.run(lambda db: db.execute("ALTER TABLE host ALTER delay_ms SET DEFAULT 3600000"))
    site = serve(PAGES)
    await crawl.seed(site.url, delay_s=0.0)
    await crawl.run()

    assert everything(site)[:2] == ["/robots.txt", "/"]


async def test_a_known_host_keeps_its_delay_until_its_new_rules_are_known(crawl, serve):
    rules = [plain("User-agent: *\nCrawl-delay: 3600\n"), plain("")]
    site = serve(PAGES | {"/robots.txt": rules})
    await crawl.seed(site.url, delay_s=0.0)
    await crawl.run()
    await crawl.operator.run(lambda db: db.execute("UPDATE robots SET expires_at = now()"))
    await crawl.forget_waits()
    await crawl.run()

    assert everything(site) == ["/robots.txt"] * 2


async def test_rules_kept_on_another_host_are_fetched_under_its_lease(crawl, serve):
    keeper = serve({"/rules.txt": plain("User-agent: *\nDisallow: /closed\n")}, hosts=2)
    elsewhere = Answer(status=301, headers={"Location": f"{keeper.origins[1]}/rules.txt"})
    site = serve(PAGES | {"/robots.txt": elsewhere})
    await crawl.seed(site.url)
    await crawl.run()

    assert everything(keeper) == ["/rules.txt"]
    assert sorted(paths(site)) == ["/", "/open"]
    host = await crawl.operator.host(keeper.plan.addresses[1])
    assert (host["lease_owner"], host["lease_seq"]) == (None, 1)


async def test_rules_kept_on_a_busy_host_are_waited_for(crawl, serve):
    keeper = serve({"/rules.txt": plain("")}, hosts=2)
    elsewhere = Answer(status=301, headers={"Location": f"{keeper.origins[1]}/rules.txt"})
    site = serve(PAGES | {"/robots.txt": elsewhere})
    lease = await crawl.operator.run(lambda db: crawl.operator.store.lease_host(db, keeper.plan.addresses[1]))
    await crawl.seed(site.url)
    await crawl.run_until_given_back("127.0.0.2")
    early = everything(keeper)
    await crawl.operator.release(lease)
    await crawl.forget_waits()
    await crawl.run()

    assert early == []
    assert set((await crawl.states()).values()) == {"fetched"}


async def test_rules_are_matched_by_the_product_token_whatever_the_user_agent_says(crawl, serve):
    """ROB-13."""
    rules = "User-agent: other\nDisallow: /open\n\nUser-agent: outrider\nDisallow: /closed\n"
    crawl.set("fetch", user_agent="Other/2.0 (+http://other.test)")
    site = serve(PAGES, robots=plain(rules))
    await crawl.seed(site.url)
    await crawl.run()

    assert sorted(paths(site)) == ["/", "/open"]
    assert {asked.headers["User-Agent"] for asked in site.log()} == {"Other/2.0 (+http://other.test)"}
