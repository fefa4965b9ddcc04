"""What a newsroom publishes: feeds, sitemaps and pages, small and valid."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from email.utils import format_datetime
from hashlib import sha256

from tests.support.newsroom import Answer, Request
from tests.support.prose import prose


def rss(items: Iterable[tuple[str, datetime | None]], extra: str = "", **headers: str) -> Answer:
    """A feed of links and their dates."""
    entries = "".join(
        f"<item><title>About {link}</title><link>{link}</link>"
        + (f"<pubDate>{format_datetime(date)}</pubDate>" if date else "")
        + "</item>"
        for link, date in items
    )
    return Answer(
        body=f"<rss version='2.0'><channel><title>News</title>{extra}{entries}</channel></rss>".encode(),
        headers={"Content-Type": "application/rss+xml"} | _headers(headers),
    )


def sitemap(entries: Iterable[tuple[str, datetime | None]], **headers: str) -> Answer:
    return _xml("urlset", "url", entries, headers)


def index(entries: Iterable[tuple[str, datetime | None]], **headers: str) -> Answer:
    return _xml("sitemapindex", "sitemap", entries, headers)


def news_sitemap(entries: Iterable[tuple[str, datetime]]) -> Answer:
    urls = "".join(
        f"<url><loc>{link}</loc><n:news><n:publication_date>{date.isoformat()}</n:publication_date>"
        f"<n:title>x</n:title></n:news></url>"
        for link, date in entries
    )
    spaces = (
        'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" '
        'xmlns:n="http://www.google.com/schemas/sitemap-news/0.9"'
    )
    return Answer(body=f"<urlset {spaces}>{urls}</urlset>".encode(), headers={"Content-Type": "text/xml"})


def page(title: str, links: Sequence[str] = (), head: str = "") -> Answer:
    anchors = "".join(f'<a href="{link}">{link}</a>' for link in links)
    return Answer(
        body=f"<!doctype html><title>{title}</title>{head}<p>{prose(title, 60)}</p>{anchors}".encode(),
        headers={"Content-Type": "text/html; charset=utf-8"},
    )


def alternate(href: str) -> str:
    """How the head of a page declares a feed."""
    return f'<link rel="alternate" type="application/rss+xml" href="{href}">'


def moved(to: str, status: int = 301) -> Answer:
    return Answer(status, headers={"Location": to})


def conditional(answer: Answer | Callable[[Request], Answer]) -> Callable[[Request], Answer]:
    """With an ETag, and a 304 for whoever has it already."""

    def reply(request: Request) -> Answer:
        full = answer(request) if callable(answer) else answer
        etag = f'"{sha256(full.body).hexdigest()[:16]}"'
        if request.headers.get("if-none-match") == etag:
            return Answer(304, headers={"ETag": etag})
        return Answer(full.status, full.body, {**full.headers, "ETag": etag})

    return reply


def _xml(
    root: str, item: str, entries: Iterable[tuple[str, datetime | None]], headers: dict[str, str]
) -> Answer:
    listed = "".join(
        f"<{item}><loc>{link}</loc>"
        + (f"<lastmod>{date.isoformat()}</lastmod>" if date else "")
        + f"</{item}>"
        for link, date in entries
    )
    body = f'<{root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{listed}</{root}>'
    return Answer(body=body.encode(), headers={"Content-Type": "application/xml"} | _headers(headers))


def _headers(given: dict[str, str]) -> dict[str, str]:
    return {name.replace("_", "-"): value for name, value in given.items()}
