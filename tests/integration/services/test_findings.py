"""What a crawl found, gathered at its end."""

from datetime import UTC, datetime

from tests.support.make import completion

from outrider.services.findings import SeedTrouble, gather_findings
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
