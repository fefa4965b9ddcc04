"""The use case behind `outrider why`."""

from datetime import UTC, datetime
from functools import partial

from tests.support.make import completion

from outrider.crawl.admission.traps import TrapOptions
from outrider.services.urls.explain import explain_url
from outrider.urls import key_of, url_hash

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
SEED, PAGE, MOVED, TARGET = (f"http://a.test/{name}" for name in ("", "page", "moved", "target"))

explain = partial(explain_url, depth_cap=10, traps=TrapOptions(), now=NOON)


async def test_a_url_has_its_path_from_the_seed_and_a_conclusion(operator):
    await operator.queue(SEED)
    await operator.queue(PAGE, parent=key_of(SEED), depth=1)
    await operator.complete(completion(PAGE, reason="gone", status=410))

    found = await operator.run(lambda db: explain(db, "HTTP://a.test/page?utm_source=x"))

    assert (found.url, found.url_hash, found.conclusion) == (PAGE, url_hash(PAGE), "Dead: gone.")
    assert [each.url for each in found.way_here] == [SEED]
    assert found.normalised_by[-1].rule == "tracking parameters dropped: utm_source"
    assert found.next == f"not again, unless asked for: `outrider retry {PAGE}`"


async def test_an_alias_leads_on(operator):
    await operator.queue(MOVED, TARGET)
    await operator.complete(completion(MOVED, status=301, moved_to=key_of(TARGET)))

    found = await operator.run(lambda db: explain(db, MOVED))

    assert found.way_on == [TARGET]
    assert found.conclusion == f"It redirects to {TARGET}."


async def test_a_url_that_is_not_known_says_so(operator):
    found = await operator.run(lambda db: explain(db, "a.example/never"))

    assert (found.url, found.known) == ("https://a.example/never", None)
    assert found.conclusion == "Not known here."
