"""What a crawl found, gathered at its end."""

from datetime import UTC, datetime

from tests.support.make import completion

from outrider.services.crawl.findings import SeedTrouble, gather_findings
from outrider.urls import key_of

SEED, FINE, MOVED, LOST = (f"http://a.test/{name}" for name in ("seed", "fine", "moved", "lost"))


async def test_a_seed_that_failed_says_why_also_behind_a_redirect(operator):
    crawl = await operator.new_source("crawl")
    await operator.queue(SEED, FINE, MOVED, LOST, source_id=crawl)
    await operator.complete(
        completion(SEED, source_id=crawl, reason="not_found", status=404),
        completion(FINE, source_id=crawl),
        completion(MOVED, source_id=crawl, status=301, moved_to=key_of(LOST)),
        completion(LOST, source_id=crawl, reason="gone", status=410),
    )

    found = await operator.run(
        lambda db: gather_findings(db, crawl, [SEED, FINE, MOVED, "http://never.test/"], datetime.now(UTC))
    )

    assert found.troubles == {SEED: SeedTrouble("not_found"), MOVED: SeedTrouble("gone")}
    assert {reason: [dead.url for dead in urls] for reason, urls in found.examples.items()} == {
        "not_found": [SEED],
        "gone": [LOST],
    }
    assert (found.templates, found.uncompared) == ([], 0)


async def test_the_dead_of_the_last_run_come_before_those_of_earlier_ones(operator):
    crawl = await operator.new_source("crawl")
    urls = [f"http://a.test/{number}" for number in range(5)]
    await operator.queue(*urls, source_id=crawl)
    for url in reversed(urls):
        await operator.complete(completion(url, source_id=crawl, reason="gone", status=410))

    found = await operator.run(lambda db: gather_findings(db, crawl, [], datetime.now(UTC)))

    assert [dead.url for dead in found.examples["gone"]] == urls[:3]


async def test_a_seed_that_waits_names_the_host_that_has_to_answer(operator):
    """Also if the seed redirected to that host."""
    crawl = await operator.new_source("crawl")
    there = "http://b.test/there"
    await operator.queue(SEED, there, source_id=crawl)
    await operator.complete(
        completion(SEED, source_id=crawl, status=301, moved_to=key_of(there)),
        completion(there, source_id=crawl, reason="timeout", status=None, retry_in_s=60),
    )

    found = await operator.run(lambda db: gather_findings(db, crawl, [SEED], datetime.now(UTC)))

    assert found.troubles == {SEED: SeedTrouble("timeout", waiting_host="b.test")}
