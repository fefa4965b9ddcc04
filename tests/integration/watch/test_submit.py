"""URLs submitted by hand: whose they are, how they are spelt, and what became of each."""

from collections.abc import Sequence
from typing import Any

import pytest
from tests.support.make import Clerk, completion, urls_of

from outrider.errors import InvalidInput, InvalidUrl, NotFound
from outrider.frontier.model import Result, State
from outrider.sources.wishes import read_wishes
from outrider.urls import key_of
from outrider.watch.registry import Registry
from outrider.watch.submit import SubmittedUrl, submit_by_hand

A, B = "http://a.test/story", "http://b.test/story"


@pytest.fixture
async def clerk(database: str) -> Any:
    clerk = await Clerk.enter(database)
    yield clerk
    await clerk.line.close()


async def _submit(clerk: Clerk, *urls: str, **said: Any) -> Sequence[SubmittedUrl]:
    return await clerk.run(lambda db: submit_by_hand(db, clerk.store, urls, **said))


async def _watch(clerk: Clerk, **said: str) -> Any:
    wishes = read_wishes({"mode": "feed", **said}).checked()
    return (await clerk.run(lambda db: Registry(clerk.store).add(db, wishes))).source


async def test_a_url_without_a_source_belongs_to_the_source_of_its_host_or_else_to_adhoc(clerk: Clerk):
    """SRC-18, CON-47."""
    watched = await _watch(clerk, name="news", url="http://a.test/")

    found = await _submit(clerk, A, "http://www.a.test/other", B)

    assert [(each.source, each.result) for each in found] == [
        ("news", Result.INSERTED),
        ("news", Result.INSERTED),
        ("adhoc", Result.INSERTED),
    ]
    rows = [await clerk.row(url) for url in (A, B)]
    assert [(row["source_id"], row["origin"], row["prio"], row["depth"]) for row in rows] == [
        (watched.source_id, 0, 5, 0),
        (1, 0, 5, 0),
    ]


async def test_a_url_can_be_submitted_to_a_source_by_number(clerk: Clerk):
    source_id = await clerk.new_source("mine")

    [found] = await _submit(clerk, A, source_id=source_id, priority=9)

    row = await clerk.row(A)
    assert (found.source, row["source_id"], row["prio"]) == ("mine", source_id, 9)
    with pytest.raises(NotFound):
        await _submit(clerk, B, source_id=12345)


async def test_a_url_is_spelt_by_the_rules_of_its_source(clerk: Clerk):
    await _watch(clerk, name="slashed", url="http://a.test/", keep_slash="yes")

    found = await _submit(clerk, A + "/?utm_source=x", B + "/")

    assert [each.url for each in found] == [A + "/", B]


@pytest.mark.parametrize("priority", [0, 11, -1, "urgent", "99"])
async def test_a_priority_outside_1_to_10_is_refused(clerk: Clerk, priority: int | str):
    """PRI-09."""
    with pytest.raises(InvalidInput):
        await _submit(clerk, A, priority=priority)

    assert (await clerk.totals()).known == 0


async def test_one_that_is_no_address_keeps_all_of_them_out(clerk: Clerk):
    with pytest.raises(InvalidUrl):
        await _submit(clerk, A, "ftp://b.test/")

    assert (await clerk.totals()).known == 0


async def test_a_queued_url_is_raised_and_a_finished_one_left_alone(clerk: Clerk):
    """FRO-05."""
    await _submit(clerk, A, priority=3)
    assert [each.result for each in await _submit(clerk, A, priority=3)] == [Result.KNOWN]
    assert [each.result for each in await _submit(clerk, A, priority=8)] == [Result.RAISED]

    lease = await clerk.claim_one()
    await clerk.complete(completion(lease.entries[0], retry_in_s=3600))
    await clerk.release(lease)
    assert [each.result for each in await _submit(clerk, A)] == [Result.RAISED], "it comes now"
    lease = await clerk.claim_one()
    assert urls_of([lease]) == [A]

    for end, state in (({}, "fetched"), ({"reason": "gone"}, "dead")):
        await clerk.requeue(A)
        await clerk.complete(completion(lease.entries[0]._replace(fetches=9), **end))
        assert [each.result for each in await _submit(clerk, A, priority=10)] == [Result.KNOWN]
        assert await clerk.state(A) == state


async def test_who_submits_a_url_of_another_source_shares_it(clerk: Clerk):
    one, two = await clerk.new_source("one"), await clerk.new_source("two")
    await _submit(clerk, A, source_id=one)

    [found] = await _submit(clerk, A, source_id=two)

    assert found.result is Result.KNOWN
    standings = await clerk.run(lambda db: clerk.store.standings(db, [key_of(A)]))
    assert {each.source_id: each.state for each in standings[key_of(A)]} == {
        one: State.PENDING,
        two: State.PENDING,
    }


async def test_a_url_of_a_disabled_source_waits_and_its_submitter_is_told(clerk: Clerk):
    watched = await _watch(clerk, name="news", url="http://a.test/")
    await clerk.run(lambda db: Registry(clerk.store).disable(db, watched, "resting"))

    [found] = await _submit(clerk, A)

    assert (found.result, found.held) == (Result.INSERTED, True)
    assert urls_of(await clerk.claim()) == []


async def test_addresses_that_mean_the_same_are_told_of_once_however_many(clerk: Clerk):
    urls = [f"http://h{n % 9}.test/{n % 1500}" for n in range(3000)]

    found = await _submit(clerk, *urls, *(url + "#part" for url in urls))

    assert [each.url for each in found] == list(dict.fromkeys(urls))
    assert {each.result for each in found} <= {Result.INSERTED, Result.KNOWN}
    assert (await clerk.totals()).pending == len(found)


async def test_what_waits_for_adhoc_goes_on_when_somebody_watches(clerk: Clerk):
    """A crawl put it aside, and adhoc is nobody's to enable."""
    await _submit(clerk, A)
    await clerk.run(lambda db: clerk.store.hold_source(db, 1))
    await clerk.run(lambda db: db.execute("UPDATE source SET held = true WHERE source_id = 1"))

    await clerk.run(Registry(clerk.store).wake)

    assert urls_of(await clerk.claim()) == [A]
