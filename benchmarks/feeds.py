"""How fast feeds and sitemaps are read, beside feedparser and fastfeedparser."""

import time
import tracemalloc
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import partial

from benchmarks.bench_environment import ask
from benchmarks.report import Report
from benchmarks.timing import best_us

from outrider.feeds import iter_sitemap, parse_feed

URL = "https://news.example/feed.xml"
ENTRIES = 20
SITEMAP_ENTRIES = 50_000
SITEMAP_CHUNK = 65_536
PARAGRAPH = (
    "<p>The <b>harbour</b> master said on <a href='/people/7'>Tuesday</a> that the tide would turn.</p>"
)


def report() -> Report:
    documents = {"RSS": _rss(), "Atom": _atom()}
    theirs = ask("feeds", {name: body.decode() for name, body in documents.items()})
    figures = [
        {
            "document": name,
            "kb": len(body) / 1000,
            "outrider_ms": best_us(partial(parse_feed, body, URL)) / 1000,
            "fastfeedparser_ms": theirs[name]["fastfeedparser"],
            "feedparser_ms": theirs[name]["feedparser"],
        }
        for name, body in documents.items()
    ]
    seconds, megabytes, memory_mb = _stream()
    sitemap = {
        "document": "sitemap",
        "kb": megabytes * 1000,
        "outrider_ms": seconds * 1000,
        "memory_mb": memory_mb,
    }
    return Report(
        name="feeds",
        title=f"A feed of {ENTRIES} entries, in ms of CPU",
        columns=("", "kB", "Outrider", "fastfeedparser", "feedparser"),
        rows=[
            (
                each["document"],
                f"{each['kb']:.0f}",
                *(f"{each[f'{parser}_ms']:.2f}" for parser in ("outrider", "fastfeedparser", "feedparser")),
            )
            for each in figures
        ],
        remarks=[
            f"A sitemap of {SITEMAP_ENTRIES:,} URLs and {megabytes:.0f} MB is read in {seconds:.1f} s, "
            f"piece by piece, in {memory_mb:.1f} MB of memory.",
            "Most of our time goes into sanitising the HTML of entries, "
            "as feedparser does; fastfeedparser does not.",
        ],
        figures=[*figures, sitemap],
    )


def _stream() -> tuple[float, float, float]:
    """Seconds, megabytes read, and megabytes of memory beyond what was there before."""
    started = time.process_time()
    for _ in iter_sitemap(_sitemap(), URL):
        pass
    seconds = time.process_time() - started
    tracemalloc.start()
    for _ in iter_sitemap(_sitemap(), URL):
        pass
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return seconds, sum(map(len, _sitemap())) / 1e6, peak / 1e6


def _sitemap() -> Iterator[bytes]:
    """About 50 MB, in the pieces a connection would bring."""
    held = (
        b'<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    )
    for number in range(SITEMAP_ENTRIES):
        address = f"https://news.example/{number}/{'long-' * 170}&amp;page=1"
        held += f"<url><loc>{address}</loc><lastmod>2026-01-02T03:04:05Z</lastmod></url>\n".encode()
        if len(held) >= SITEMAP_CHUNK:
            yield held
            held = b""
    yield held + b"</urlset>"


def _rss() -> bytes:
    items = "".join(
        f"<item><title>Story {number} &amp;amp; more</title><link>https://news.example/{number}</link>"
        f"<guid>https://news.example/{number}</guid><dc:creator>A. Writer</dc:creator>"
        f"<pubDate>{_moment(number):%a, %d %b %Y %H:%M:%S} GMT</pubDate>"
        f"<description><![CDATA[{PARAGRAPH}]]></description>"
        f"<content:encoded><![CDATA[{PARAGRAPH * 20}]]></content:encoded></item>"
        for number in range(ENTRIES)
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>'
        '<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/" '
        'xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>News</title>'
        f"<link>https://news.example/</link><description>All of it</description>{items}</channel></rss>"
    ).encode()


def _atom() -> bytes:
    entries = "".join(
        f'<entry><title type="html">Story {number}</title><link href="/{number}"/>'
        f"<id>tag:news.example,{number}</id><updated>{_moment(number).isoformat()}</updated>"
        "<author><name>A. Writer</name></author>"
        f'<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">{PARAGRAPH * 20}</div></content>'
        "</entry>"
        for number in range(ENTRIES)
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?><feed xmlns="http://www.w3.org/2005/Atom"><title>News</title>'
        f'<link href="https://news.example/"/><id>https://news.example/</id>{entries}</feed>'
    ).encode()


def _moment(number: int) -> datetime:
    return datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC) + timedelta(hours=number)
