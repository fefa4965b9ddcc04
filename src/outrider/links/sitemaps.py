"""The addresses that a sitemap lists, with those of the sitemaps that it names."""

from collections import deque
from collections.abc import Awaitable, Callable
from pathlib import Path

from outrider.errors import InvalidFeed, InvalidInput
from outrider.feeds import parse_sitemap
from outrider.feeds.model import SitemapKind

MOST_SITEMAPS = 1_000
MOST_URLS = 200_000
LARGEST = 64 * 1024 * 1024

ReadSitemap = Callable[[str], Awaitable[tuple[bytes, str]]]  # body and last address; raises InvalidInput


async def sitemap_urls(start: str, read: ReadSitemap) -> dict[str, str]:
    """Each address with the sitemap that lists it. Raises InvalidInput if the first is no sitemap."""
    found: dict[str, str] = {}
    queue, seen = deque([start]), {start}
    while queue and len(seen) <= MOST_SITEMAPS and len(found) < MOST_URLS:
        name = queue.popleft()
        body, base = await read(name) if "://" in name else _from_disk(name)
        try:
            sitemap = parse_sitemap(body, base)
        except InvalidFeed as error:
            raise InvalidInput(f"{name} is no sitemap: {error}") from error
        for entry in sitemap.entries:
            if sitemap.kind is SitemapKind.INDEX:
                if entry.url not in seen:
                    seen.add(entry.url)
                    queue.append(entry.url)
            elif len(found) < MOST_URLS:
                found.setdefault(entry.url, name)
    return found


def _from_disk(name: str) -> tuple[bytes, str]:
    path = Path(name)
    try:
        if path.stat().st_size > LARGEST:
            raise InvalidInput(f"{name} is larger than {LARGEST >> 20} MB")
        return path.read_bytes(), "http://localhost/"
    except OSError as error:
        raise InvalidInput(f"{name} cannot be read: {error.strerror or error}") from error
