"""An owned site that is also a watched source: a job crawls the host while links to it are checked."""

import pytest
from tests.support.politeness import violations
from tests.support.prose import prose
from tests.support.site import Answer, Plan, Site, html, redirect
from tests.support.sites import ALL

from outrider.events.outbox import handle_waiting
from outrider.jobs.follow import Follower
from outrider.jobs.runner import JobRunner
from outrider.jobs.scheduler import Scheduler
from outrider.services.sites.broken_urls import list_broken
from outrider.services.sites.content import list_paths
from outrider.services.sites.content_links import save_site_field
from outrider.services.sites.crawled import inventory_from_crawl, take_crawled
from outrider.services.sites.links import StoredLinkFilter, link_details, list_site_links
from outrider.services.sites.sites import SiteRequest, add_site
from outrider.sources.source_changes import read_changes
from outrider.watch.source_runs import SourceRuns
from outrider.watch.source_service import SourceService

STORIES = [f"/news/2024/05/{day}/the-council-agrees-on-bridge-{day}" for day in (17, 18)]
GONE, OLD = "/news/2024/05/19/nobody-has-this-story-any-more", "/news/2024/05/20/the-old-name-of-a-story"
DUE = "UPDATE job SET next_run_at = now(), slot_at = now()"
DELAY_S = 0.1


def article(about: str) -> Answer:
    text = "".join(f"<p>{prose(f'{about} {number}', 60)}.</p>" for number in range(4))
    return html(f"<title>{about}</title><article><h1>{about}</h1>{text}</article>")


@pytest.fixture
def site(tmp_path):
    headlines = "".join(f'<h3><a href="{path}">Read {path}</a></h3>' for path in (*STORIES, GONE))
    answers = {
        "/": [html(f"<title>Front</title>{headlines}")],
        **{path: [article(path)] for path in STORIES},
        GONE: [Answer(status=404)],
        OLD: [redirect(STORIES[0])],
    }
    with Site.start(tmp_path, Plan(pages=1, answers=answers)) as running:
        yield running


@pytest.fixture
def job(operator):
    """The scheduler of the job of the site; a call makes the job due and starts its run."""
    runs = SourceRuns(operator.store)
    scheduler = Scheduler(operator.connection, JobRunner(runs.start, runs.content_hash, operator.store))

    async def start() -> Scheduler:
        await handle_waiting(operator.connection, Follower().handle)
        await operator.run(lambda db: db.execute(DUE))
        assert await scheduler.start_due() == 1
        return scheduler

    return start


async def test_a_job_and_link_checks_share_one_host_and_lose_nothing(site, crawl, operator, job):
    base = site.origins[0]
    crawl.set("hosts", delay_ms=int(DELAY_S * 1000))
    shop = (await operator.run(lambda db: add_site(db, SiteRequest("shop", base)))).site
    blog = (await operator.run(lambda db: add_site(db, SiteRequest("blog", "https://blog.test")))).site
    changes = read_changes({"url": f"{base}/", "name": "shop", "mode": "spider"}).checked()
    await operator.run(lambda db: SourceService(operator.store).add(db, changes))
    hrefs = [f"{base}{path}" for path in (*STORIES, GONE, OLD)]

    async def verdicts() -> dict[str, tuple[str, int]]:
        """The status of each link to the host, and how often it was checked."""
        listed = await operator.run(lambda db: list_site_links(db, blog.site_id, StoredLinkFilter(), ALL))
        found = {}
        for link in listed.items:
            details = await operator.run(lambda db, link=link: link_details(db, blog.site_id, link.link_id))
            found[link.url.removeprefix(base)] = (link.status.value, len(details.checks))
        return found

    for times in (1, 2):
        scheduler = await job()
        await operator.run(lambda db: save_site_field(db, blog, "nav.main", hrefs))
        await crawl.run(workers=2)
        await scheduler.watch_runs()

        runs = await operator.run(lambda db: db.fetch("SELECT status FROM run ORDER BY run_id"))
        assert [row["status"] for row in runs] == ["completed"] * times
        assert await verdicts() == {
            **dict.fromkeys(STORIES, ("ok", times)),
            GONE: ("dead", times),
            OLD: ("moved", times),
        }
        states = await crawl.states()
        assert {states[f"{base}{path}"] for path in STORIES} == {"fetched"}
        titles = {(await crawl.document(f"{base}{path}"))["title"] for path in ("/", *STORIES)}
        assert titles == {"Front", *STORIES}
        assert states[f"{base}{GONE}"] == "dead: not_found"
        await crawl.forget_waits()

    assert violations(site.log(), lambda _: DELAY_S) == []
    await operator.run(lambda db: inventory_from_crawl(db, "shop", "owner"))
    await operator.run(lambda db: take_crawled(db, "shop"))
    pages = await operator.run(lambda db: list_paths(db, "shop", ALL))
    assert [page.path for page in pages.items] == ["/", *STORIES], "a link that was checked is no page"
    [broken] = (await operator.run(lambda db: list_broken(db, "shop", ALL))).items
    assert (broken.path, list(broken.referrers)) == (GONE, [f"{base}/"])
    within = await operator.run(lambda db: save_site_field(db, shop, "nav.main", [STORIES[0], GONE]))
    assert [link.status.value for link in within.links] == ["ok", "dead"]


async def test_a_polled_feed_that_answers_404_is_no_broken_page_and_a_linked_one_is(
    tmp_path, crawl, operator
):
    front = html('<title>Front</title><p>Welcome.</p><a href="/rss">RSS</a>')
    missing = {path: [Answer(status=404)] for path in ("/feed.xml", "/rss")}
    with Site.start(tmp_path, Plan(pages=1, answers={"/": [front], **missing})) as site:
        base = site.origins[0]
        await operator.run(lambda db: add_site(db, SiteRequest("shop", base)))
        said = {"url": f"{base}/", "name": "shop", "mode": "both", "feed": f"{base}/feed.xml"}
        changes = read_changes(said).checked()
        await operator.run(lambda db: SourceService(operator.store).add(db, changes))
        listed = []
        for _ in range(3):  # the third 404 disables a feed
            await crawl.run()
            await operator.run(lambda db: take_crawled(db, "shop"))
            found = (await operator.run(lambda db: list_broken(db, "shop", ALL))).items
            listed.append([(row.path, list(row.referrers)) for row in found])
            await crawl.forget_waits()
        asked = [request.path for request in site.log() if request.path in missing]

    channel = await operator.run(lambda db: db.fetchrow("SELECT error_type, disable_reason FROM channel"))
    assert tuple(channel) == ("not_found", "not_found")
    assert sorted(asked) == ["/feed.xml"] * 3 + ["/rss"]
    assert listed == [[("/rss", [f"{base}/"])]] * 3
