"""The tables of sources: names, look-ups, lists, and whose pages a host holds."""

import asyncio
from dataclasses import replace

import pytest

from outrider.errors import Conflict, NotFound
from outrider.sources.model import ADHOC, Mode, NewSource, SourceFilter
from outrider.sources.policy import Policy
from outrider.sources.store import SourceStore

STORE = SourceStore()
BLATT = NewSource("Das Blatt", "https://blatt.test/", labels=["berlin"])


@pytest.fixture
async def db(pool):
    async with pool.acquire() as connection:
        yield connection


async def test_a_source_is_stored_as_it_was_meant(db):
    new = NewSource(
        "Das Blatt",
        "https://blatt.test/",
        Mode.BOTH,
        priority=8,
        policy=Policy(delay_s=10.0),
        selectors={"article": {"title": "h1"}},
        template="wordpress",
        labels=["berlin"],
    )

    await STORE.add(db, new)

    stored = await STORE.find(db, "Das Blatt")
    for name in ("name", "url", "mode", "priority", "policy", "selectors", "template", "labels"):
        assert getattr(stored, name) == getattr(new, name)
    assert (stored.enabled, stored.disabled_at, stored.disable_reason) == (True, None, None)


async def test_a_name_belongs_to_one_source(db):
    await STORE.add(db, BLATT)

    with pytest.raises(Conflict, match="a source is called 'Das Blatt' already"):
        await STORE.add(db, replace(BLATT, url="https://other.test/"))
    with pytest.raises(Conflict, match="something else is called 'adhoc' already"):
        await STORE.add(db, replace(BLATT, name="adhoc"))


async def test_the_name_of_another_source_cannot_be_taken_by_a_change(db):
    await STORE.add(db, BLATT)
    other = await STORE.add(db, NewSource("Other", "https://other.test/"))

    with pytest.raises(Conflict, match="choose another name"):
        await STORE.change(db, replace(other, name="Das Blatt"))
    assert (await STORE.find(db, "Other")).source_id == other.source_id


async def test_of_two_changes_at_the_same_time_the_second_is_refused(pool):
    async with pool.acquire() as one, pool.acquire() as two:
        read = await STORE.add(one, BLATT)
        results = await asyncio.gather(
            STORE.change(one, replace(read, priority=9)),
            STORE.change(two, replace(read, mode=Mode.SPIDER)),
            return_exceptions=True,
        )
        stored = await STORE.find(one, "Das Blatt")

    [refused] = [result for result in results if isinstance(result, Exception)]
    assert isinstance(refused, Conflict)
    assert (stored.priority == 9) != (stored.mode is Mode.SPIDER)


@pytest.mark.parametrize(
    "named",
    ["Das Blatt", "das blatt", "https://blatt.test/", "https://blatt.test", "blatt.test", "BLATT.test/"],
)
async def test_a_source_is_found_by_name_and_by_address(db, named):
    added = await STORE.add(db, BLATT)

    assert (await STORE.find(db, named)).source_id == added.source_id


async def test_a_source_is_found_by_its_numbers(db):
    added = await STORE.add(db, BLATT)

    assert (await STORE.find(db, str(added.source_id))).name == "Das Blatt"
    assert (await STORE.find(db, str(added.public_id))).name == "Das Blatt"


async def test_an_exact_name_wins_over_an_address_and_a_number(db):
    number = (await STORE.add(db, BLATT)).source_id
    named = await STORE.add(db, NewSource(str(number), "https://other.test/"))
    shouting = await STORE.add(db, NewSource("DAS BLATT", "https://third.test/"))

    assert (await STORE.find(db, str(number))).source_id == named.source_id
    assert (await STORE.find(db, "DAS BLATT")).source_id == shouting.source_id


@pytest.mark.parametrize("named", ["Blat", "99999999999", "4", "\\", "%", "'; DROP TABLE source", "https://"])
async def test_what_is_not_there_is_not_found(db, named):
    await STORE.add(db, BLATT)

    with pytest.raises(NotFound, match="no source is called"):
        await STORE.find(db, named)


async def test_who_mistypes_a_name_is_shown_those_that_come_near(db):
    await STORE.add(db, BLATT)

    with pytest.raises(NotFound, match="there is 'Das Blatt'"):
        await STORE.find(db, "blat")


async def test_crawls_and_the_systems_own_source_are_not_watched(db):
    await db.execute("INSERT INTO source (name) VALUES ('crawl https://x.test/')")

    assert await STORE.page(db, SourceFilter()) == ([], 0)
    with pytest.raises(NotFound):
        await STORE.find(db, "adhoc")


async def _names(db, **wanted):
    return [listed.source.name for listed in (await STORE.page(db, SourceFilter(**wanted)))[0]]


async def test_a_list_can_be_searched_and_filtered(db):
    await STORE.add(db, BLATT)
    spider = await STORE.add(db, NewSource("Alpha", "https://alpha.test/", Mode.SPIDER))
    await STORE.disable(db, spider, "moved away")

    assert await _names(db) == ["Alpha", "Das Blatt"]
    assert await _names(db, search="BERLIN") == ["Das Blatt"]
    assert await _names(db, search="alpha.test") == ["Alpha"]
    assert await _names(db, enabled=True) == ["Das Blatt"]
    assert await _names(db, enabled=False) == ["Alpha"]
    assert await _names(db, mode=Mode.SPIDER) == ["Alpha"]
    assert await _names(db, mode=Mode.BOTH) == []


async def test_a_list_comes_in_pages(db):
    for number in range(5):
        await STORE.add(db, NewSource(f"S{number}", f"https://s{number}.test/"))

    found, total = await STORE.page(db, SourceFilter(limit=2, offset=2))

    assert [listed.source.name for listed in found] == ["S2", "S3"]
    assert total == 5


async def _channel(db, source_id, url, kind=2, **columns):
    columns = {
        "source_id": source_id,
        "host_id": 1,
        "url_hash": "0" * 30 + url[-2:],
        "url": url,
        "kind": kind,
    } | columns
    names, marks = ", ".join(columns), ", ".join(f"${n + 1}" for n in range(len(columns)))
    await db.execute(f"INSERT INTO channel ({names}) VALUES ({marks})", *columns.values())


async def test_only_proven_channels_that_are_not_disabled_make_a_feed_active(db):
    for number, columns in enumerate([{}, {"is_candidate": True}, {"disable_reason": "gone"}, None]):
        source = await STORE.add(db, NewSource(f"S{number}", f"https://s{number}.test/"))
        if columns is not None:
            await _channel(db, source.source_id, f"https://s/{number:02}", **columns)
    await db.execute("UPDATE channel SET disabled_at = now() WHERE disable_reason IS NOT NULL")

    assert await _names(db, feed_active=True) == ["S0"]
    assert await _names(db, feed_active=False) == ["S1", "S2", "S3"]


async def test_a_source_in_feed_mode_without_channels_is_silent_after_a_search(db):
    quiet, searched, fed = [
        await STORE.add(db, NewSource(name, f"https://{name}.test/")) for name in ("quiet", "searched", "fed")
    ]
    await _channel(db, fed.source_id, "https://fed/01")
    for source in (searched, fed):
        await STORE.mark_searched(db, source.source_id)

    assert await _names(db, silent=True) == ["searched"]
    assert (await STORE.listed(db, searched.source_id)).is_silent
    assert not (await STORE.listed(db, quiet.source_id)).is_silent


async def test_sources_whose_last_poll_failed_can_be_listed_alone(db):
    for name, errors in (("fine", 0), ("failing", 2)):
        source = await STORE.add(db, NewSource(name, f"https://{name}.test/"))
        how = {"errors": errors, "error_type": "not_found" if errors else None}
        await _channel(db, source.source_id, f"https://{name}/{errors:02}", **how)

    [listed], total = await STORE.page(db, SourceFilter(failing=True))
    assert (listed.source.name, listed.failing, listed.failures, total) == ("failing", 1, "not_found", 1)


async def test_urls_without_a_source_belong_to_the_source_of_their_host(db):
    source = await STORE.add(db, replace(BLATT, url="https://www.blatt.de/"))
    await STORE.claim_hosts(db, source)

    assert await STORE.source_for(db, "https://www.blatt.de/a") == source.source_id
    assert await STORE.source_for(db, "http://blatt.de/b") == source.source_id
    assert await STORE.source_for(db, "https://shop.blatt.de/") == ADHOC
    assert await STORE.source_for(db, "https://other.de/") == ADHOC
    assert await STORE.sources_of(db, ["blatt.de", "other.de"]) == {"blatt.de": source.source_id}


async def test_a_host_stays_with_the_source_that_had_it_first(db):
    first = await STORE.add(db, BLATT)
    second = await STORE.add(db, NewSource("Sport", "https://blatt.test/sport"))
    for source in (first, second):
        await STORE.claim_hosts(db, source)

    assert await STORE.source_for(db, "https://blatt.test/sport/1") == first.source_id
