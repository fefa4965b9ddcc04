"""URLs that an operator submits: their source, their normalisation and their results."""

from collections.abc import Sequence
from typing import Any

import pytest
from tests.support.make import Operator, completion, urls_of

from outrider.errors import InvalidInput, InvalidUrl, NotFound
from outrider.frontier.model import State, SubmissionResult
from outrider.sources.source_changes import read_changes
from outrider.urls import key_of
from outrider.watch.source_service import SourceService
from outrider.watch.submit import SubmittedUrl, submit_urls

A, B = "http://a.test/story", "http://b.test/story"


@pytest.fixture
async def operator(database: str) -> Any:
    operator = await Operator.enter(database)
    yield operator
    await operator.connection.close()


async def _submit(operator: Operator, *urls: str, **said: Any) -> Sequence[SubmittedUrl]:
    return await operator.run(lambda db: submit_urls(db, operator.store, urls, **said))


async def _watch(operator: Operator, **said: str) -> Any:
    changes = read_changes({"mode": "feed", **said}).checked()
    return (await operator.run(lambda db: SourceService(operator.store).add(db, changes))).source


async def test_a_url_without_a_source_belongs_to_the_source_of_its_host_or_else_to_adhoc(operator: Operator):
    """SRC-18, CON-47."""
    watched = await _watch(operator, name="news", url="http://a.test/")

    found = await _submit(operator, A, "http://www.a.test/other", B)

    assert [(each.source, each.result) for each in found] == [
        ("news", SubmissionResult.INSERTED),
        ("news", SubmissionResult.INSERTED),
        ("adhoc", SubmissionResult.INSERTED),
    ]
    rows = [await operator.row(url) for url in (A, B)]
    assert [(row["source_id"], row["origin"], row["prio"], row["depth"]) for row in rows] == [
        (watched.source_id, 0, 5, 0),
        (1, 0, 5, 0),
    ]


async def test_a_url_can_be_submitted_to_a_source_by_number(operator: Operator):
    source_id = await operator.new_source("mine")

    [found] = await _submit(operator, A, source_id=source_id, priority=9)

    row = await operator.row(A)
    assert (found.source, row["source_id"], row["prio"]) == ("mine", source_id, 9)
    with pytest.raises(NotFound):
        await _submit(operator, B, source_id=12345)


async def test_a_url_is_spelt_by_the_rules_of_its_source(operator: Operator):
    await _watch(operator, name="slashed", url="http://a.test/", keep_slash="yes")

    found = await _submit(operator, A + "/?utm_source=x", B + "/")

    assert [each.url for each in found] == [A + "/", B]


@pytest.mark.parametrize("priority", [0, 11, -1, "urgent", "99"])
async def test_a_priority_outside_1_to_10_is_refused(operator: Operator, priority: int | str):
    """PRI-09."""
    with pytest.raises(InvalidInput):
        await _submit(operator, A, priority=priority)

    assert (await operator.totals()).known == 0


async def test_one_that_is_no_address_keeps_all_of_them_out(operator: Operator):
    with pytest.raises(InvalidUrl):
        await _submit(operator, A, "ftp://b.test/")

    assert (await operator.totals()).known == 0


async def test_a_queued_url_is_raised_and_a_finished_one_left_alone(operator: Operator):
    """FRO-05."""
    await _submit(operator, A, priority=3)
    assert [each.result for each in await _submit(operator, A, priority=3)] == [SubmissionResult.KNOWN]
    assert [each.result for each in await _submit(operator, A, priority=8)] == [SubmissionResult.RAISED]

    lease = await operator.claim_one()
    await operator.complete(completion(lease.entries[0], retry_in_s=3600))
    await operator.release(lease)
    assert [each.result for each in await _submit(operator, A)] == [SubmissionResult.RAISED], "it comes now"
    lease = await operator.claim_one()
    assert urls_of([lease]) == [A]

    for end, state in (({}, "fetched"), ({"reason": "gone"}, "dead")):
        await operator.requeue(A)
        await operator.complete(completion(lease.entries[0]._replace(fetches=9), **end))
        assert [each.result for each in await _submit(operator, A, priority=10)] == [SubmissionResult.KNOWN]
        assert await operator.state(A) == state


async def test_who_submits_a_url_of_another_source_shares_it(operator: Operator):
    one, two = await operator.new_source("one"), await operator.new_source("two")
    await _submit(operator, A, source_id=one)

    [found] = await _submit(operator, A, source_id=two)

    assert found.result is SubmissionResult.KNOWN
    interests = await operator.run(lambda db: operator.store.interests(db, [key_of(A)]))
    assert {each.source_id: each.state for each in interests[key_of(A)]} == {
        one: State.PENDING,
        two: State.PENDING,
    }


async def test_a_url_of_a_disabled_source_waits_and_the_result_says_so(operator: Operator):
    watched = await _watch(operator, name="news", url="http://a.test/")
    await operator.run(lambda db: SourceService(operator.store).disable(db, watched, "resting"))

    [found] = await _submit(operator, A)

    assert (found.result, found.held) == (SubmissionResult.INSERTED, True)
    assert urls_of(await operator.claim()) == []


async def test_equal_addresses_have_one_result(operator: Operator):
    urls = [f"http://h{n % 9}.test/{n % 1500}" for n in range(3000)]

    found = await _submit(operator, *urls, *(url + "#part" for url in urls))

    assert [each.url for each in found] == list(dict.fromkeys(urls))
    assert {each.result for each in found} <= {SubmissionResult.INSERTED, SubmissionResult.KNOWN}
    assert (await operator.totals()).pending == len(found)


async def test_a_watch_resumes_adhoc_urls(operator: Operator):
    """A crawl put it aside, and adhoc is nobody's to enable."""
    await _submit(operator, A)
    await operator.run(lambda db: operator.store.hold_source(db, 1))

    await operator.run(SourceService(operator.store).wake)

    assert urls_of(await operator.claim()) == [A]
