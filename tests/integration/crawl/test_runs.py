"""A crawl is a run: its counts are exact, it can be cancelled, and the next run fetches what was left."""

import asyncio
from collections import Counter

from tests.support.asgi import until
from tests.support.site import Answer, html, redirect
from tests.support.worker import paths

from outrider.runs.ending import end_if_over
from outrider.runs.model import RunStatus
from outrider.runs.store import RunStore


async def _run_of(crawl, source_id: int):
    rows = await crawl.operator.run(
        lambda db: db.fetch("SELECT run_id FROM run WHERE source_id = $1 ORDER BY run_id DESC", source_id)
    )
    return await crawl.operator.run(lambda db: RunStore().by_id(db, rows[0]["run_id"]))


async def _end(crawl, source_id: int):
    run = await _run_of(crawl, source_id)
    return await crawl.operator.run(lambda db: end_if_over(db, crawl.operator.store, run))


async def test_a_crawl_ends_with_exact_counts(crawl, serve):
    site = serve({"/missing": Answer(status=404, body="no")}, pages=30)
    source_id = await crawl.seed(site.url, site.url + "missing")
    await crawl.run(workers=2)

    ended = await _end(crawl, source_id)

    fetched = len(set(paths(site)) - {"/missing"})
    assert (ended.status, ended.items_crawled) == (RunStatus.COMPLETED, fetched)
    metrics = ended.metadata["crawl_metrics"]
    assert metrics["status_codes"] == {"200": fetched, "404": 1}
    assert metrics["requests_total"] == fetched + 1
    assert metrics["entries"]["added"] == metrics["entries"]["settled"] == fetched + 1
    assert metrics["dead_reasons"] == {"not_found": 1}
    assert metrics["bytes_downloaded"] > 0
    assert metrics["response_time_ms"]["min"] <= metrics["response_time_ms"]["max"]


async def test_a_run_says_how_many_of_its_pages_have_no_title_or_no_text(crawl, serve):
    page = "<html><head><title>{}</title></head><body>{}</body></html>"
    site = serve(
        {
            "/": html(page.format("Start", "word " * 56 + '<a href="/b"></a> <a href="/c"></a>')),
            "/b": html(page.format("", "Words without a title.")),
            "/c": html(page.format(" ", "<img src=x>")),
        }
    )
    source_id = await crawl.seed(site.url)
    await crawl.run()

    quality = (await _end(crawl, source_id)).metadata["crawl_metrics"]["extraction_quality"]
    assert quality == {"pages": 3, "indexed": 1, "empty_title": 2, "empty_body": 1, "words_avg": 20}


async def test_redirects_belong_to_the_run(crawl, serve):
    site = serve({"/": redirect("/b"), "/b": html("b")})
    source_id = await crawl.seed(site.url)
    await crawl.run()

    ended = await _end(crawl, source_id)
    assert ended.metadata["crawl_metrics"]["entries"]["added"] == 2
    assert ended.items_crawled == 1


async def test_a_run_goes_on_while_an_entry_waits_for_its_retry(crawl, serve):
    site = serve({"/": [Answer(status=500, body="later"), html("now")]})
    source_id = await crawl.seed(site.url)
    await crawl.run()
    assert await _end(crawl, source_id) is None

    await crawl.forget_waits()
    await crawl.run()
    assert (await _end(crawl, source_id)).status is RunStatus.COMPLETED


async def test_a_second_start_of_an_unfinished_crawl_goes_on_with_its_run(crawl, serve):
    site = serve({"/": html("a")})
    source_id = await crawl.seed(site.url)
    first = await _run_of(crawl, source_id)
    await crawl.seed(site.url)

    assert (await _run_of(crawl, source_id)).run_id == first.run_id


async def test_a_finished_crawl_that_is_started_again_is_a_new_run(crawl, serve):
    site = serve({"/": html("a")})
    source_id = await crawl.seed(site.url)
    await crawl.run()
    await _end(crawl, source_id)
    await crawl.seed(site.url)
    await crawl.run()

    ended = await _end(crawl, source_id)
    assert (ended.execution_number, ended.items_crawled) == (2, 1)


async def _cancel_after(requests, crawl, site, run):
    """Cancel a run after so many requests, and end it once its lanes have let go of it."""
    await until(lambda: len(paths(site)) >= requests, f"{requests} requests")
    await crawl.operator.run(lambda db: RunStore().ask_to_cancel(db, run.run_id, "test"))
    run_now = await crawl.operator.run(lambda db: RunStore().by_id(db, run.run_id))

    async def is_over():
        return await crawl.operator.run(lambda db: end_if_over(db, crawl.operator.store, run_now))

    await until(is_over, "the run ends")


async def test_a_request_that_waits_for_its_delay_is_not_made_after_a_cancel(crawl, serve):
    site = serve({"/": html("a"), "/b": html("b")})
    crawl.set("hosts", delay_ms=2_500)
    crawl.set("crawl", respect_robots=False)
    await crawl.operator.run(lambda db: db.execute("ALTER TABLE host ALTER delay_ms SET DEFAULT 2500"))
    source_id = await crawl.seed(site.url, site.url + "b")  # both in one lease
    run = await _run_of(crawl, source_id)

    await asyncio.gather(_cancel_after(1, crawl, site, run), crawl.run())

    assert len(paths(site)) == 1
    assert (await _run_of(crawl, source_id)).status is RunStatus.CANCELLED


async def test_a_cancelled_run_makes_no_more_requests_and_the_next_one_fetches_the_rest(crawl, serve):
    links = " ".join(f'<a href="/{n}">{n}</a>' for n in range(1, 40))
    site = serve({"/": html(links)} | {f"/{n}": html(f"page {n}") for n in range(1, 40)})
    crawl.set("hosts", delay_ms=100)
    await crawl.operator.run(lambda db: db.execute("ALTER TABLE host ALTER delay_ms SET DEFAULT 100"))
    source_id = await crawl.seed(site.url)
    run = await _run_of(crawl, source_id)

    await asyncio.gather(_cancel_after(5, crawl, site, run), crawl.run())

    ended = await _run_of(crawl, source_id)
    before = len(paths(site))
    assert (ended.status, ended.items_crawled) == (RunStatus.CANCELLED, before)
    assert before < 40
    assert ended.metadata["crawl_metrics"]["entries"]["withdrawn"] == 40 - before

    crawl.set("hosts", delay_ms=0)
    await crawl.operator.run(lambda db: db.execute("UPDATE host SET delay_ms = 0"))
    await crawl.seed(site.url)
    await crawl.run()
    again = await _end(crawl, source_id)
    assert again.items_crawled == 40 - before + 1  # and the start page
    assert sorted(set(paths(site))) == sorted(["/", *(f"/{n}" for n in range(1, 40))])


async def test_every_figure_of_a_run_is_exact(crawl, serve):
    links = " ".join(f'<a href="/{name}">{name}</a>' for name in ("a", "missing", "image", "private", "busy"))
    deep = html('a page with six plain words <a href="/b">b</a>')
    picture = Answer(body="x" * 100, headers={"Content-Type": "image/png"})
    busy = [Answer(status=429, body="", headers={"Retry-After": "0"}), html("now")]
    site = serve(
        {"/": html(links), "/a": deep, "/missing": Answer(status=404, body="no"), "/image": picture}
        | {"/private": html("no"), "/busy": busy, "/b": html("beyond the depth")},
        robots=Answer(body="User-agent: *\nDisallow: /private"),
    )
    source_id = await crawl.seed(site.url, max_depth=1)
    await crawl.run()
    await crawl.forget_waits()
    await crawl.run()

    ended = await _end(crawl, source_id)

    metrics = ended.metadata["crawl_metrics"]
    asked = [each for each in site.log() if each.path != "/robots.txt"]
    statuses = Counter(str(each.status) for each in asked)
    assert metrics["status_codes"] == statuses == {"200": 4, "404": 1, "429": 1}
    assert (metrics["requests_total"], metrics["requests_failed"]) == (6, 2)
    assert (metrics["rate_limits"], metrics["cloudflare_blocks"]) == (1, 0)
    assert metrics["skipped"] == {"non_html": 1, "max_depth": 1, "robots_txt": 1}
    assert metrics["dead_reasons"] == {"not_found": 1, "robots_blocked": 1, "unsupported_content_type": 1}
    assert (metrics["entries"]["added"], metrics["entries"]["settled"], metrics["entries"]["dead"]) == (
        6,
        6,
        3,
    )
    assert metrics["extraction_quality"]["pages"] == ended.items_crawled == 3
    times = metrics["response_time_ms"]
    assert 0 <= times["min"] <= times["avg"] <= times["max"]
