"""Sitemaps as large as they may be, and larger: little memory, a bound on everything, and nobody waits."""

import asyncio
import tracemalloc
import zlib
from collections.abc import AsyncIterator, Iterator

import pytest
from tests.support.newsroom import Answer, Engine, MovableClock, Newsroom, settings_for, sitemap_at

from outrider.crawl.lane import work
from outrider.fetch.guard import networks_of
from outrider.fetch.options import FetchOptions
from outrider.sources.store import SourceStore
from outrider.watch.polling import lease_renewal

LEGAL = 50_000  # entries, by the sitemap protocol, in 50 MB
XML = {"Content-Type": "application/xml"}
KILOBYTE = b"<lastmod>2020-01-01</lastmod><!-- %s -->" % (b"x" * 960)


def urlset(entries: int, inside: bytes = b"") -> Iterator[bytes]:
    """A sitemap that is never in memory as a whole."""
    yield b'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    for first in range(0, entries, 100):
        yield b"".join(b"<url><loc>/%d</loc>%s</url>\n" % (n, inside) for n in range(first, first + 100))
    yield b"</urlset>"


@pytest.fixture
async def engine(database: str, clock: MovableClock) -> AsyncIterator[Engine]:
    """With patience for large bodies."""
    fetching = FetchOptions(allow_private=networks_of(["127.0.0.0/8"]), timeout_s=25)
    async with Engine(database, clock, settings_for(fetch=fetching)) as opened:
        yield opened


class Bomb:
    """Gzip of zeros without end, or nearly; `sent` says how far somebody read."""

    def __init__(self, megabytes: int) -> None:
        self._megabytes = megabytes
        self.sent = 0

    def pieces(self) -> Iterator[bytes]:
        pack = zlib.compressobj(1, zlib.DEFLATED, 31)
        zeros = bytes(1 << 20)
        yield pack.compress(b"<urlset>")
        for _ in range(self._megabytes):
            self.sent += 1
            yield pack.compress(zeros)
        yield pack.flush()


async def peak_of_poll(engine: Engine, url: str) -> int:
    """The most bytes that Python held at once, the server of the test included."""
    tracemalloc.start()
    try:
        await engine.poll(url)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


async def test_memory_does_not_grow_with_a_sitemap(engine: Engine, room: Newsroom):
    """5 MB of 5,000 pages in 2 MB, the server of the test included; 50 MB take no more."""
    url = room.publish("/sitemap.xml", Answer(headers=XML, pieces=lambda: urlset(5_000, KILOBYTE)))
    await engine.watch("large", room.origin(), sitemap_at(url))

    peak = await peak_of_poll(engine, url)

    channel = await engine.channel(url)
    assert (channel["items"], channel["errors"]) == (5_000, 0)
    assert peak < 2 << 20


async def test_other_hosts_are_visited_while_50_mb_are_read(engine: Engine, room: Newsroom):
    url = room.publish("/sitemap.xml", Answer(headers=XML, pieces=lambda: urlset(LEGAL, KILOBYTE)))
    await engine.watch("large", room.origin(), sitemap_at(url))
    small = room.publish("/small.xml", Answer(headers=XML, pieces=lambda: urlset(100)), site=1)
    await engine.watch("small", room.origin(1), sitemap_at(small))
    leases = await engine.run(lambda db: engine.context.frontier.claim(db, 2))
    by_url = {lease.entries[0].url: lease for lease in leases}

    large = asyncio.create_task(work(by_url[url], engine.context))
    await work(by_url[small], engine.context)
    await engine.context.flusher.flush()
    polls = [(await engine.channel(each))["polls"] for each in (small, url)]
    await large
    await engine.context.flusher.flush()

    assert polls == [1, 0], "the small one was over before the large one"
    assert (await engine.channel(url))["items"] == LEGAL


async def test_the_host_is_held_for_as_long_as_its_sitemap_is_read(
    engine: Engine, room: Newsroom, monkeypatch: pytest.MonkeyPatch
):
    """FED-23: two workers would ask it at once if a lease ended before its visit."""
    url = room.publish("/sitemap.xml", Answer(headers=XML, pieces=lambda: urlset(500)))
    await engine.watch("long", room.origin(), sitemap_at(url))
    [lease] = await engine.run(lambda db: engine.context.frontier.claim(db, 1))
    until = lease.expires
    monkeypatch.setattr(lease_renewal, "SPARE_S", 60.0)  # longer than the lease: it is always about to end

    await work(lease, engine.context)
    await engine.context.flusher.flush()

    assert lease.expires > until
    assert (await engine.channel(url))["polls"] == 1


async def test_a_million_entries_are_read_to_the_hundred_thousandth(engine: Engine, room: Newsroom):
    url = room.publish("/sitemap.xml", Answer(headers=XML, pieces=lambda: urlset(1_000_000)))
    await engine.watch("flood", room.origin(), sitemap_at(url))

    await engine.poll(url)

    channel = await engine.channel(url)
    assert (channel["items"], channel["new_items"], channel["errors"]) == (100_000, 200, 0)
    [line] = await engine.run(lambda db: SourceStore().channels(db, channel["source_id"]))
    assert (line.is_cut, line.has_more) == (True, True), "and whoever looks at it is told"


async def test_ten_gigabytes_in_an_encoding_are_cut_at_the_limit(engine: Engine, room: Newsroom):
    bomb = Bomb(10 << 10)
    headers = {**XML, "Content-Encoding": "gzip"}
    url = room.publish("/sitemap.xml", Answer(headers=headers, pieces=bomb.pieces))
    await engine.watch("bomb", room.origin(), sitemap_at(url))

    await engine.poll(url)

    channel = await engine.channel(url)
    assert (channel["error_type"], channel["errors"]) == ("parse_error", 1)
    assert "larger than" in channel["last_error"]
    assert bomb.sent < 5 << 10, "the rest was never made, though the kernel holds megabytes for us"


async def test_a_gzip_file_is_unpacked_no_further_than_it_is_read(engine: Engine, room: Newsroom):
    bomb = Bomb(128)
    headers = {"Content-Type": "application/gzip"}
    url = room.publish("/sitemap.xml.gz", Answer(headers=headers, pieces=bomb.pieces))
    await engine.watch("bomb", room.origin(), sitemap_at(url))

    peak = await peak_of_poll(engine, url)

    channel = await engine.channel(url)
    assert (channel["items"], channel["errors"]) == (0, 0)
    assert bomb.sent == 128, "in less than one megabyte on the wire"
    assert peak < 8 << 20


async def test_a_title_of_megabytes_costs_only_its_entry(engine: Engine, room: Newsroom):
    title = b"<news:news><news:title>%s</news:title></news:news>" % (b"a" * (5 << 20))
    body = b"<urlset><url><loc>/loud</loc>%s</url><url><loc>/quiet</loc></url></urlset>" % title
    url = room.publish("/sitemap.xml", Answer(body=body, headers=XML))
    await engine.watch("loud", room.origin(), sitemap_at(url))

    await engine.poll(url)

    pages = await engine.rows("SELECT url FROM url WHERE kind = 0")
    assert f"{room.origin()}/quiet" in {row["url"] for row in pages}
    assert (await engine.channel(url))["errors"] == 0


async def test_a_backfill_queues_everything_at_the_first_poll(engine: Engine, room: Newsroom):
    url = room.publish("/sitemap.xml", Answer(headers=XML, pieces=lambda: urlset(3_500, KILOBYTE)))
    await engine.watch("archive", room.origin(), sitemap_at(url), backfill=True)

    await engine.poll(url)

    [queued] = await engine.rows("SELECT count(*) AS pages FROM url WHERE kind = 0 AND origin = 3")
    channel = await engine.channel(url)
    assert (queued["pages"], channel["items"], channel["new_items"]) == (3_500, 3_500, 3_500)
