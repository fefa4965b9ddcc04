"""The use case behind `outrider stats`."""

from tests.support.make import completion

from outrider.services.as_json import as_json
from outrider.services.crawl.stats import read_stats

GONE, SHARED = "http://a.test/gone", "http://a.test/shared"


async def test_an_entry_that_sources_share_is_counted_once(operator):
    first, second = await operator.new_source("first"), await operator.new_source("second")
    await operator.queue(GONE, SHARED, source_id=first)
    await operator.queue(SHARED, source_id=second)
    await operator.complete(completion(GONE, source_id=first, reason="gone", status=410))

    found = await operator.run(read_stats)

    assert found.states == {"pending": 1, "fetched": 0, "dead": 1, "aliases": 0}
    assert {name: states["pending"] for name, states in found.sources.items()} == {"first": 1, "second": 1}
    assert found.dead_by_reason == {"gone": 1}
    assert [worker.machine for worker in found.workers] == ["tests"]


async def test_the_names_in_json_are_those_that_scripts_know(operator):
    found = as_json(await operator.run(read_stats))

    assert list(found) == [
        *("states", "pages", "documents", "duplicates", "near_duplicates", "redirects", "retries"),
        *("requests", "bytes", "sources", "dead_by_reason", "requests_by_status", "requests_by_failure"),
        *("skipped_by_reason", "pages_by_type", "texts_by_method", "unindexed_by_reason", "pages_by_words"),
        *("hosts", "workers", "uncompared", "database_bytes"),
    ]
