"""The use case of the search box: a URL, a host, a source or a job by what a person types (UI-02).

Every query is bounded: hosts are found by the beginning of their name, URLs by their address or among some
URLs of their host, sources by a part of their name, jobs by their id or by their source.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

import asyncpg

from outrider.errors import InvalidUrl, NotFound
from outrider.frontier.url_search import urls_like
from outrider.hosts.search import HostName, hosts_beginning
from outrider.jobs.search import FoundJob, jobs_of_sources
from outrider.services.jobs.jobs import read_job
from outrider.sources.search import FoundSource, sources_like
from outrider.urls import host_of
from outrider.urls.typed import address_of, host_named, normalized

LONGEST_QUERY = 2_000
MOST_FOUND = 6  # of each kind


class FoundKind(StrEnum):
    """What the search box finds."""

    URL = "url"
    HOST = "host"
    SOURCE = "source"
    JOB = "job"


@dataclass(frozen=True, slots=True)
class FoundItem:
    """One result. `id` names it in the address of its page."""

    kind: FoundKind
    id: str
    label: str
    note: str = ""
    is_exact: bool = False  # it is what was typed, not only like it


@dataclass(frozen=True, slots=True)
class FoundItems:
    """All results, the kinds in the order of the enumeration."""

    query: str
    items: Sequence[FoundItem]

    @property
    def only(self) -> FoundItem | None:
        """The result that is meant without doubt: the only exact one, or the only one at all."""
        exact = [each for each in self.items if each.is_exact]
        if len(exact) == 1:
            return exact[0]
        return self.items[0] if len(self.items) == 1 else None

    def of(self, kind: FoundKind) -> Sequence[FoundItem]:
        return [each for each in self.items if each.kind is kind]


async def find_anything(db: asyncpg.Connection, text: str) -> FoundItems:
    """What the text may mean; nothing for an empty text."""
    text = " ".join(text.split())[:LONGEST_QUERY]
    if not text or not text.isprintable():
        return FoundItems(text, ())
    async with db.transaction():
        sources = [] if "://" in text else await sources_like(db, text, MOST_FOUND)
        jobs = await jobs_of_sources(db, [each.source_id for each in sources], MOST_FOUND)
        named = await _job_named(db, text)
        return FoundItems(
            text,
            [
                *await _urls(db, text),
                *await _hosts(db, text),
                *(_source(each, text) for each in sources),
                *named,
                *(_job(each) for each in jobs if str(each.public_id) not in {one.id for one in named}),
            ],
        )


async def _urls(db: asyncpg.Connection, text: str) -> list[FoundItem]:
    """URLs are found when the text has a scheme or a path: a name alone is a host."""
    if "/" not in text and "?" not in text:
        return []
    try:
        url = normalized(address_of(text))[0]
    except InvalidUrl:
        return []
    found = await urls_like(db, url, MOST_FOUND)
    if any(each == url for each in found) or "://" in text:
        exact = FoundItem(FoundKind.URL, url, url, "" if url in found else "not known yet", is_exact=True)
        return [exact, *(FoundItem(FoundKind.URL, each, each) for each in found if each != url)]
    return [FoundItem(FoundKind.URL, each, each) for each in found]


async def _hosts(db: asyncpg.Connection, text: str) -> list[FoundItem]:
    if "://" in text:
        return []
    start = text.lower().partition("/")[0]
    if " " in start:
        return []
    found = await hosts_beginning(db, _typed_host(start), MOST_FOUND)
    return [_host(each, text) for each in found]


def _typed_host(text: str) -> str:
    """The host as it is stored if the text is a whole one, else the text."""
    try:
        return host_named(text) if "." in text and not text.endswith(".") else text
    except InvalidUrl:
        return text


def _host(found: HostName, text: str) -> FoundItem:
    is_exact = "/" not in text and found.host == _typed_host(text.lower())
    return FoundItem(FoundKind.HOST, found.host, found.host, f"{found.pages:,} pages", is_exact)


def _source(found: FoundSource, text: str) -> FoundItem:
    is_exact = found.name.lower() == text.lower()
    return FoundItem(FoundKind.SOURCE, str(found.public_id), found.name, host_of(found.url), is_exact)


def _job(found: FoundJob, *, is_exact: bool = False) -> FoundItem:
    label = f"Job {found.number} of {found.source}"
    return FoundItem(FoundKind.JOB, str(found.public_id), label, found.status, is_exact)


async def _job_named(db: asyncpg.Connection, text: str) -> list[FoundItem]:
    """The job with this number or id."""
    named = text.removeprefix("#").removeprefix("job ").strip()
    if not (named.isascii() and named.isdigit() and len(named) < 10) and not _is_uuid(named):
        return []
    try:
        found = await read_job(db, named)
    except NotFound:
        return []
    job = found.job
    return [_job(FoundJob(job.job_id, job.public_id, found.source_name, job.status.value), is_exact=True)]


def _is_uuid(text: str) -> bool:
    try:
        UUID(text)
    except ValueError:
        return False
    return True
