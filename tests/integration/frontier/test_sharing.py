"""URLs that more than one source asks for, and what becomes of them while one of these is held."""

from tests.support.make import urls_of

from outrider.frontier.model import Kind, Submitted

A, B = "http://a.test/", "http://b.test/"


async def _sources(clerk):
    return await clerk.new_source("one"), await clerk.new_source("two")


async def _hold(clerk, source):
    await clerk.run(lambda db: clerk.store.hold_source(db, source))
    await clerk.run(lambda db: db.execute("UPDATE source SET held = true WHERE source_id = $1", source))


async def _also_wanted_by(clerk):
    rows = await clerk.run(lambda db: db.fetch("SELECT source_id FROM url_source ORDER BY source_id"))
    return [row["source_id"] for row in rows]


async def test_a_url_keeps_the_source_that_asked_first_and_later_ones_are_written_down_once(clerk):
    one, two = await _sources(clerk)
    await clerk.queue(A, source_id=one)

    for _ in range(2):
        assert await clerk.queue(A, source_id=two) == Submitted(known=1)

    assert (await clerk.row(A))["source_id"] == one
    assert await _also_wanted_by(clerk) == [two]
    assert ((await clerk.totals(one)).pending, (await clerk.totals(two)).pending) == (1, 0)


async def test_what_two_sources_want_survives_the_hold_of_the_first(clerk):
    one, two = await _sources(clerk)
    await clerk.queue(A, B, source_id=one)
    await clerk.queue(A, source_id=two)

    await _hold(clerk, one)

    assert urls_of(await clerk.claim()) == [A]
    assert (await clerk.row(A))["source_id"] == two
    assert ((await clerk.totals(one)).pending, (await clerk.totals(two)).pending) == (1, 1)


async def test_what_waits_for_a_held_source_goes_to_the_next_who_asks(clerk):
    one, two = await _sources(clerk)
    await clerk.queue(A, source_id=one, priority=9)
    await _hold(clerk, one)

    assert await clerk.queue(A, source_id=two, priority=3) == Submitted(raised=1)

    row = await clerk.row(A)
    assert (row["source_id"], row["prio"]) == (two, 3)
    assert await _also_wanted_by(clerk) == [one]
    assert ((await clerk.totals(one)).pending, (await clerk.totals(two)).pending) == (0, 1)
    assert urls_of(await clerk.claim()) == [A]


async def test_a_feed_is_not_taken_over_by_a_link_to_it(clerk):
    one, two = await _sources(clerk)
    await clerk.queue(A, source_id=one, kind=Kind.FEED)
    await _hold(clerk, one)

    await clerk.queue(A, source_id=two)

    assert (await clerk.row(A))["source_id"] == one
    assert urls_of(await clerk.claim()) == []


async def test_what_arrives_for_a_held_source_waits_with_it(clerk):
    one, _ = await _sources(clerk)
    await _hold(clerk, one)

    assert await clerk.queue(A, source_id=one) == Submitted(inserted=1)
    assert urls_of(await clerk.claim()) == []

    await clerk.run(lambda db: clerk.store.resume_source(db, one))
    assert urls_of(await clerk.claim()) == [A]
