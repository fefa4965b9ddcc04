"""How fast feeds and sitemaps are read, beside feedparser and fastfeedparser where they are installed.

    python benchmarks/feeds.py                  feeds and a sitemap made here
    python benchmarks/feeds.py FILE…            feeds of yours

Milliseconds of CPU for one document, the best of several runs; for the sitemap also the memory that streaming
takes beyond what was there before.
"""

import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from outrider.feeds import iter_sitemap, parse_feed

URL = "https://news.example/feed.xml"
ENTRIES = 20
RUNS = 30
SITEMAP_ENTRIES = 50_000
SITEMAP_CHUNK = 65_536
PARAGRAPH = (
    "<p>The <b>harbour</b> master said on <a href='/people/7'>Tuesday</a> that the tide would turn.</p>"
)


def main() -> None:
    files = [Path(name) for name in sys.argv[1:]]
    feeds = {file.name: file.read_bytes() for file in files} or {"rss": _rss(), "atom": _atom()}
    for name, body in feeds.items():
        print(f"{name}: {len(body) / 1000:.0f} kB")
        for parser, parse in _parsers().items():
            print(f"    {parser:15} {_best(lambda parse=parse, body=body: parse(body)) * 1e3:7.2f} ms")
    if not files:
        _stream()


def _parsers() -> dict[str, Callable[[bytes], object]]:
    found: dict[str, Callable[[bytes], object]] = {"outrider": lambda body: parse_feed(body, URL)}
    try:
        import feedparser

        found["feedparser"] = feedparser.parse
    except ImportError:
        print("feedparser is not installed")
    try:
        import fastfeedparser

        found["fastfeedparser"] = lambda body: fastfeedparser.parse(body.decode())
    except ImportError:
        print("fastfeedparser is not installed")
    return found


def _best(run: Callable[[], object]) -> float:
    times = []
    for _ in range(RUNS):
        started = time.process_time()
        run()
        times.append(time.process_time() - started)
    return min(times)


def _stream() -> None:
    started = time.process_time()
    count = sum(1 for _ in iter_sitemap(_sitemap(), URL))
    seconds = time.process_time() - started
    tracemalloc.start()
    for _ in iter_sitemap(_sitemap(), URL):
        pass
    peak = tracemalloc.get_traced_memory()[1]
    megabytes = sum(map(len, _sitemap())) / 1e6
    print(f"sitemap: {count} entries, {megabytes:.0f} MB: {seconds:.2f} s, {peak / 1e6:.1f} MB of memory")


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


if __name__ == "__main__":
    main()
