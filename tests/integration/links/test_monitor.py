"""Links of content fields: registered, checked by workers under leases, judged over days."""

from datetime import UTC, datetime, timedelta

import pytest
from tests.support.event_log import settle
from tests.support.field_links import ORIGIN, SITE
from tests.support.politeness import violations
from tests.support.site import Answer, Plan, Site

from outrider.errors import Conflict, InvalidInput, NotFound
from outrider.events.log import read_events
from outrider.frontier.model import EntryKind
from outrider.links.monitor.hrefs import link_key
from outrider.links.monitor.model import LinkState, LinkType, StoredLinkStatus
from outrider.links.monitor.store import LinkStore
from outrider.links.options import LinkOptions
from outrider.links.reason import LinkReason
from outrider.services.metrics.metrics import read_metrics
from outrider.services.paging import PageRequest
from outrider.services.sites import links as use_cases
from outrider.services.sites.links import StoredLinkFilter
from outrider.urls import key_of


@pytest.fixture
def states(do):
    async def states(site_id: int = SITE) -> dict[str, tuple[str, str | None]]:
        found = await do(
            use_cases.list_site_links, site_id, StoredLinkFilter(ignored=True), PageRequest(1000)
        )
        return {link.url: (link.status.value, link.reason) for link in found.items}

    return states


@pytest.fixture
def events(pool):
    async def events(kind: str):
        async with pool.acquire() as db:
            await settle(db)
            return await read_events(db, None, kinds=[kind])

    return events


async def test_links_within_the_site_are_judged_at_once_and_without_a_request(save, site, operator):
    saved = await save("/live", "/hidden", f"{ORIGIN}/renamed?x=1#y", "/deleted/", "/c/none/x", "/nowhere")
    outside = await save(f"{site.origins[0]}/good", field="footer")

    assert {link.url: (link.status, link.reason) for link in saved.links} == {
        "/live": (StoredLinkStatus.OK, LinkReason.LIVE_PATH),
        "/hidden": (StoredLinkStatus.DEAD, LinkReason.ITEM_HIDDEN),
        "/renamed": (StoredLinkStatus.MOVED, LinkReason.ITEM_RENAMED),
        "/deleted": (StoredLinkStatus.DEAD, LinkReason.ITEM_MISSING),
        "/c/none/x": (StoredLinkStatus.DEAD, LinkReason.COLLECTION_MISSING),
        "/nowhere": (StoredLinkStatus.DEAD, LinkReason.NO_ROUTE),
    }
    assert [link.moved_to for link in saved.links if link.url == "/renamed"] == ["/new-name"]
    assert saved.queued == 0
    assert (outside.queued, outside.links[0].status) == (1, StoredLinkStatus.UNCHECKED)
    queued = await operator.run(lambda db: db.fetch("SELECT url, kind, next_fetch_at <= now() FROM url"))
    assert [tuple(row) for row in queued] == [(f"{site.origins[0]}/good", EntryKind.LINK, True)]
    assert site.log() == []


async def test_mailto_tel_and_fragments_are_not_checked(save):
    saved = await save(
        "mailto:a@b.org",
        "MAILTO:a@b.org",
        "tel:123",
        "Tel:123",
        "JavaScript:void(0)",
        "#top",
        "",
        "mailto:nothing",
    )

    assert [(link.url, link.status, link.reason) for link in saved.links] == [
        ("mailto:nothing", StoredLinkStatus.DEAD, LinkReason.BAD_EMAIL)
    ]


async def test_saving_a_field_replaces_its_links_and_no_others(save, states, do):
    [_, hidden] = (await save("/live", "/hidden")).links
    await save("/live", field="footer")
    await save("/live", "/deleted", site_id=8)
    await do(use_cases.ignore_link, SITE, hidden.link_id)

    [kept, _] = (await save("/hidden", "/hidden#part", "/nowhere")).links
    assert (kept.link_id, kept.is_ignored) == (hidden.link_id, True), "a link that stays keeps its state"
    await save("/nowhere")
    assert set(await states()) == {"/live", "/nowhere"}
    await save()

    assert set(await states()) == {"/live"}
    assert set(await states(8)) == {"/live", "/deleted"}


async def test_a_worker_checks_external_links_under_the_lease_of_their_host(save, site, crawl, states, do):
    base = site.origins[0]
    saved = await save(f"{base}/good", f"{base}/gone", f"{base}/moved", f"{base}/wall", f"{base}/flaky")
    assert (saved.queued, {link.status for link in saved.links}) == (5, {StoredLinkStatus.UNCHECKED})

    await crawl.run()

    assert await states() == {
        f"{base}/gone": ("dead", LinkReason.NOT_FOUND),
        f"{base}/moved": ("moved", LinkReason.MOVED_PERMANENTLY),
        f"{base}/good": ("ok", LinkReason.ANSWERS),
        f"{base}/wall": ("uncertain", LinkReason.BOT_BLOCK),
        f"{base}/flaky": ("uncertain", LinkReason.SERVER_ERROR),
    }
    assert site.log()[0].path == "/robots.txt"
    listed = await do(use_cases.list_site_links, SITE, StoredLinkFilter(), PageRequest())
    found = {link.url.removeprefix(base): link for link in listed.items}
    assert {path: (link.http_status, link.moved_to) for path, link in found.items()} == {
        "/gone": (404, None),
        "/moved": (200, f"{base}/good"),
        "/good": (200, None),
        "/wall": (403, None),
        "/flaky": (500, None),
    }
    assert {(link.source_key, link.link_type) for link in listed.items} == {("nav.main", LinkType.EXTERNAL)}
    assert all(link.last_checked_at > link.created_at for link in listed.items)


async def test_all_requests_of_checks_keep_the_delay_of_their_host(save, site, crawl):
    crawl.set("hosts", delay_ms=200)
    await save(*(f"{origin}{path}" for origin in site.origins for path in ("/good", "/gone", "/wall")))
    await crawl.run()

    log = site.log()
    assert {asked.path for asked in log} >= {"/robots.txt", "/good", "/gone", "/wall", "/"}
    assert violations(log, lambda _: 0.2) == []


async def test_an_address_is_checked_once_for_all_fields_and_sites(save, site, crawl, states):
    url = f"{site.origins[0]}/good"
    await save(url)
    await save(url, field="footer")
    await save(url, site_id=8)
    await crawl.run()
    again = await save(url, field="banner")

    assert [asked.path for asked in site.log()].count("/good") == 1
    assert (again.queued, again.links[0].status) == (0, StoredLinkStatus.OK)
    assert (await states(8))[url] == ("ok", LinkReason.ANSWERS)


async def test_the_page_at_the_same_address_is_another_entry(save, site, crawl, operator):
    url = f"{site.origins[0]}/good"
    await crawl.seed(url)
    await save(url)
    await crawl.run()

    kinds = await operator.run(lambda db: db.fetch("SELECT kind, url_hash FROM url WHERE url = $1", url))
    assert {(row["kind"], row["url_hash"].hex) for row in kinds} == {
        (0, key_of(url).hash),
        (4, link_key(url).hash),
    }


async def test_a_doubtful_failure_is_dead_on_the_second_day(save, site, crawl, do, operator):
    url = f"{site.origins[0]}/flaky"
    [link] = (await save(url)).links
    await crawl.run()
    first = await do(use_cases.link_details, SITE, link.link_id)
    assert (first.link.status, first.link.pending_since is not None) == (StoredLinkStatus.UNCERTAIN, True)

    await operator.run(
        lambda db: db.execute("UPDATE link_check SET checked_at = checked_at - interval '1 day'")
    )
    await crawl.forget_waits()
    await crawl.run()
    second = await do(use_cases.link_details, SITE, link.link_id)

    assert (second.link.status, second.link.reason) == (StoredLinkStatus.DEAD, LinkReason.SERVER_ERROR)
    assert [check.verdict.value for check in second.checks] == ["dead", "uncertain"]
    assert second.checks[0].evidence[0]["method"] == "HEAD"
    assert second.checks[0].evidence[0]["status"] == 500


async def test_the_next_check_is_at_the_weekly_run_or_a_day_after_a_failure(save, site, crawl, operator):
    good, flaky, gone, moved = (f"{site.origins[0]}/{name}" for name in ("good", "flaky", "gone", "moved"))
    await save(good, flaky, gone, moved, "/live", "/nowhere")
    await crawl.run()

    rows = await operator.run(lambda db: db.fetch("SELECT url, next_fetch_at FROM url WHERE kind = 4"))
    at = {row["url"]: row["next_fetch_at"] for row in rows}
    assert set(at) == {good, flaky, gone, moved}, "links within the site have no timer"
    assert {(at[url].weekday(), at[url].hour) for url in (good, gone, moved)} == {(0, 3)}
    assert timedelta(hours=23) < at[flaky] - datetime.now(UTC) <= timedelta(days=1)


async def test_a_changed_verdict_is_an_event(save, site, crawl, events):
    url = f"{site.origins[0]}/gone"
    await save(url)
    await crawl.run()

    batch = await events("link.verdict_changed")
    assert [(event.payload["url"], event.payload["to"]) for event in batch.events] == [(url, "dead")]


async def test_an_address_that_no_field_has_any_more_is_not_checked_again(save, site, crawl, operator):
    url = f"{site.origins[0]}/good"
    await save(url)
    await crawl.run()
    await save("/live")
    await crawl.forget_waits()
    await crawl.run()

    [row] = await operator.run(lambda db: db.fetch("SELECT reason, next_fetch_at FROM url WHERE kind = 4"))
    assert (row["reason"], row["next_fetch_at"]) == ("no_link", None)


async def test_a_site_that_is_removed_while_checks_wait_causes_no_request(save, site, crawl, operator):
    await save(f"{site.origins[0]}/good")
    await operator.run(lambda db: LinkStore().remove_site(db, SITE))
    await crawl.run()

    [row] = await operator.run(lambda db: db.fetch("SELECT reason, next_fetch_at FROM url WHERE kind = 4"))
    assert (row["reason"], row["next_fetch_at"]) == ("no_link", None)
    assert await operator.run(lambda db: db.fetchval("SELECT count(*) FROM link_check")) == 0


async def test_checks_are_counted_by_their_result(save, site, crawl, pool):
    base = site.origins[0]
    await save(f"{base}/good", f"{base}/gone", f"{base}/moved", f"{base}/wall")
    await crawl.run()

    async with pool.acquire() as db:
        found = {each.metric.name: dict(each.values) for each in await read_metrics(db)}
    assert found["outrider_link_checks_total"] == {"ok": 1, "moved": 1, "dead": 1, "uncertain": 1}


async def test_robots_txt_keeps_a_link_from_being_asked_for(save, tmp_path, crawl, states):
    robots = Answer(body="User-agent: *\nDisallow: /\n", headers={"Content-Type": "text/plain"})
    with Site.start(tmp_path, Plan(pages=1, robots=robots)) as site:
        url = f"{site.origins[0]}/page/1"
        await save(url)
        await crawl.run()

        assert await states() == {url: ("uncertain", LinkReason.ROBOTS)}
        assert {asked.path for asked in site.log()} == {"/robots.txt"}


async def test_check_now_comes_before_the_weekly_run(save, site, crawl, do):
    url = f"{site.origins[0]}/good"
    [link] = (await save(url)).links
    await crawl.run()
    before = len(site.log())

    await do(use_cases.check_link_now, SITE, link.link_id)
    await crawl.run()

    assert "/good" in [asked.path for asked in site.log()[before:]]
    assert len((await do(use_cases.link_details, SITE, link.link_id)).checks) == 2


async def test_dead_links_come_first_and_ignored_ones_do_not_count(save, do):
    outside = [f"http://{name}.test/" for name in "ab"]
    saved = await save("/live", "/hidden", "/renamed", *outside)
    dead = next(link for link in saved.links if link.status is StoredLinkStatus.DEAD)
    await do(LinkStore().set_states, {saved.links[3].link_id: LinkState(StoredLinkStatus.UNCERTAIN)})

    listed = await do(use_cases.list_site_links, SITE, StoredLinkFilter(), PageRequest())
    assert [link.status.value for link in listed.items] == ["dead", "moved", "unchecked", "uncertain", "ok"]
    assert (await do(use_cases.link_counts, SITE)).attention == 1

    await do(use_cases.ignore_link, SITE, dead.link_id)
    counts = await do(use_cases.link_counts, SITE)
    listed = await do(use_cases.list_site_links, SITE, StoredLinkFilter(), PageRequest())

    assert (counts.attention, counts.ignored, listed.total) == (0, 1, 4)


async def test_a_moved_link_is_applied_by_event_and_list_until_the_field_is_saved(
    save, site, crawl, do, events
):
    base = site.origins[0]
    [link] = (await save(f"{base}/moved")).links
    await crawl.run()

    update = await do(use_cases.apply_link, SITE, link.link_id)

    assert (update.source_key, update.replacement) == ("nav.main", f"{base}/good")
    assert [each.link_id for each in await do(use_cases.requested_updates, SITE)] == [link.link_id]
    batch = await events("link.update_requested")
    assert batch.events[0].payload["replacement"] == f"{base}/good"

    await save(f"{base}/good")
    assert await do(use_cases.requested_updates, SITE) == []


async def test_a_link_without_a_new_address_cannot_be_applied(save, do):
    [link] = (await save("/hidden")).links

    with pytest.raises(Conflict, match="has no new address"):
        await do(use_cases.apply_link, SITE, link.link_id)
    with pytest.raises(NotFound):
        await do(use_cases.apply_link, SITE + 1, link.link_id)
    with pytest.raises(Conflict, match="within the site"):
        await do(use_cases.check_link_now, SITE, link.link_id)


async def test_a_check_asks_twice_at_most_and_waits_no_longer_than_it_may(save, tmp_path, crawl, do):
    assert LinkOptions().timeout_s == 10.0
    crawl.set("links", timeout_s=0.3)
    with Site.start(tmp_path, Plan(pages=1, answers={"/slow": [Answer(delay=3.0)]})) as site:
        [link] = (await save(f"{site.origins[0]}/slow")).links
        await crawl.run()

        details = await do(use_cases.link_details, SITE, link.link_id)

    assert (details.link.status, details.link.reason) == (StoredLinkStatus.UNCERTAIN, LinkReason.NO_ANSWER)
    asked = [probe for probe in details.checks[0].evidence if probe["url"] == link.url]
    assert [probe["method"] for probe in asked] == ["HEAD", "GET"]


@pytest.mark.parametrize(
    ("hrefs", "field", "sentence"),
    [
        (["http://a.test/" + "x" * 3000], "nav", "at most 2,000 bytes"),
        ([f"/p/{number}" for number in range(1001)], "nav", "at most 1,000 links"),
        (["/live"], "", "the name of a field"),
        (["/live"], "x" * 500, "the name of a field"),
        (["/live"], "a\nb", "the name of a field"),
    ],
)
async def test_too_much_is_refused_in_one_sentence(save, hrefs, field, sentence):
    with pytest.raises(InvalidInput, match=sentence):
        await save(*hrefs, field=field)


async def test_an_address_that_can_never_work_is_dead_at_once(save):
    saved = await save("http://[broken", "ht tp://x")

    assert {link.status for link in saved.links if link.link_type is LinkType.INTERNAL} == {
        StoredLinkStatus.DEAD
    }
