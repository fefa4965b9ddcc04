"""The links of stored pages: those on a page, and those that lead to it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any
from uuid import UUID

import asyncpg

from outrider.db.queries import Queries
from outrider.documents.packing import unpack_links
from outrider.errors import InvalidUrl
from outrider.urls import UrlKey, key_of, normalize, path_of

MOST_LINKS = 1_000  # of one page
PAGES_AT_ONCE = 500  # pages whose links one call reads

_SQL = Queries.load("outrider.documents")
_PLAIN = re.compile(r"[A-Za-z0-9_-]+")
_ESCAPE = re.compile(r"%[0-9A-Fa-f]{2}")


@dataclass(frozen=True, slots=True)
class OutgoingLink:
    """A link of a page, normalised."""

    id: UrlKey
    url: str
    nofollow: bool


@dataclass(frozen=True, slots=True)
class IncomingLink:
    """A page that links to another page."""

    id: UrlKey
    url: str
    title: str | None
    nofollow: bool


def outgoing(links: bytes | None, base: str | None) -> list[OutgoingLink]:
    """The different links of a page in their order; links that are no valid URL are left out."""
    found: dict[str, OutgoingLink] = {}
    for href, nofollow in islice(unpack_links(links), MOST_LINKS):
        url = _resolved(href, base)
        if url is not None and url not in found:
            found[url] = OutgoingLink(key_of(url), url, nofollow)
    return list(found.values())


async def incoming(
    db: asyncpg.Connection, target: str, after: str, limit: int
) -> tuple[list[IncomingLink], str | None]:
    """Pages of the same host that link to `target`, and the hash to continue after if there are more pages.

    Links have no index, so a call reads the links of a bounded number of pages.
    """
    host_id, part = key_of(target).host_id, _telling_part(target)
    rows = await db.fetch(_SQL.page_links, host_id, UUID(after), PAGES_AT_ONCE)
    found: list[IncomingLink] = []
    for row in rows:
        if row["url"] == target:
            continue
        link = next((link for link in _hits(row, target, part)), None)
        if link is not None:
            found.append(IncomingLink(UrlKey(host_id, row["url_hash"].hex), row["url"], row["title"], link))
        if len(found) == limit:
            return found, row["url_hash"].hex
    return found, rows[-1]["url_hash"].hex if len(rows) == PAGES_AT_ONCE else None


def _hits(row: Any, target: str, part: str) -> Iterator[bool]:
    """For each link of a page that leads to the target: whether it is nofollow."""
    for href, nofollow in unpack_links(row["links"]):
        # Only few links are resolved: those that have the part, and those like `..` that have none.
        if (part in href or not _PLAIN.search(href)) and _resolved(href, row["base"]) == target:
            yield nofollow


def _telling_part(url: str) -> str:
    """A part of a URL that links to it have, whether they are relative or absolute."""
    path, _, query = path_of(url).partition("?")
    segment = query or path.rstrip("/").rpartition("/")[2]
    return max(_PLAIN.findall(_ESCAPE.sub(" ", segment)), key=len, default="")


def _resolved(href: str, base: str | None) -> str | None:
    try:
        return normalize(href, base)
    except InvalidUrl:
        return None
