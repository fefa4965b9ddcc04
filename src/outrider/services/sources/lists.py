"""Use cases that read sources: list them, show one, list the latest articles."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Self

import asyncpg

from outrider.frontier.model import EntryKind
from outrider.services.as_json import as_json
from outrider.services.from_json import fields_from_json, from_json
from outrider.services.jobs.jobs import JobDetails, managed_job
from outrider.services.paging import ListPage, PageRequest
from outrider.sources.model import ChannelLine, SourceFilter, SourceLine
from outrider.sources.store import SourceStore
from outrider.watch.discovery_stats import MethodStats, discovery_stats
from outrider.watch.news import LatestArticle, latest

MOST_ARTICLES = 10_000


@dataclass(frozen=True, slots=True)
class ListedSource:
    """A source in a list."""

    line: SourceLine

    def json_form(self) -> dict[str, Any]:
        """The fields of the source and of its line in one object."""
        line = {name: value for name, value in as_json(self.line).items() if name != "source"}
        source = self.line.source
        return {"id": source.public_id, **as_json(source), **line, "silent": self.line.is_silent}

    @classmethod
    def from_json_form(cls, value: Mapping[str, Any]) -> Self:
        """The inverse of `json_form`."""
        return cls(fields_from_json(SourceLine, {**value, "source": value}))


@dataclass(frozen=True, slots=True)
class SourceChannels:
    """The feeds and sitemaps of a source. `notes` are for the operator who changed them."""

    channels: Sequence[ChannelLine]
    notes: Sequence[str] = ()

    def json_form(self) -> dict[str, Any]:
        return {"channels": [as_json(each) | {"kind": each.kind.name.lower()} for each in self.channels]}

    @classmethod
    def from_json_form(cls, value: Mapping[str, Any]) -> Self:
        """The inverse of `json_form`; it has no notes."""
        named = [each | {"kind": EntryKind[each["kind"].upper()].value} for each in value["channels"]]
        return cls([fields_from_json(ChannelLine, each) for each in named])


@dataclass(frozen=True, slots=True)
class SourceDetails:
    """One source with its channels, the methods that found its articles, and its job."""

    line: SourceLine
    channels: SourceChannels
    stats_by_method: Sequence[MethodStats]
    job: JobDetails | None

    def json_form(self) -> dict[str, Any]:
        ladder = [as_json(each) | {"way": each.way.value} for each in self.stats_by_method]
        parts = {"ladder": ladder, "job": self.job}
        return ListedSource(self.line).json_form() | self.channels.json_form() | parts

    @classmethod
    def from_json_form(cls, value: Mapping[str, Any]) -> Self:
        """The inverse of `json_form`."""
        return cls(
            ListedSource.from_json_form(value).line,
            SourceChannels.from_json_form(value),
            [fields_from_json(MethodStats, each) for each in value["ladder"]],
            None if value["job"] is None else from_json(JobDetails, value["job"]),
        )


@dataclass(frozen=True, slots=True)
class NewsList:
    """The latest articles, newest first."""

    articles: Sequence[LatestArticle]

    def json_form(self) -> Mapping[str, Any]:
        return {"articles": [as_json(each) | {"way": each.way.value} for each in self.articles]}


async def list_sources(
    db: asyncpg.Connection, wanted: SourceFilter, page: PageRequest
) -> ListPage[ListedSource]:
    """The sources that match `wanted`."""
    page = page.checked()
    wanted = replace(wanted, limit=page.limit, offset=page.offset)
    async with db.transaction():
        found, total = await SourceStore().page(db, wanted)
    return ListPage([ListedSource(line) for line in found], total, page.limit, page.offset)


async def list_named_source(db: asyncpg.Connection, named: str, page: PageRequest) -> ListPage[ListedSource]:
    """The one source of that name, number, id or address, as a list; raises NotFound."""
    store = SourceStore()
    async with db.transaction():
        source = await store.find(db, named)
        return ListPage([ListedSource(await store.listed(db, source.source_id))], 1, page.limit, 0)


async def show_source(db: asyncpg.Connection, named: str) -> SourceDetails:
    """One source; raises NotFound."""
    store = SourceStore()
    async with db.transaction():
        source = await store.find(db, named)
        job = await managed_job(db, source.source_id)
        return SourceDetails(
            await store.listed(db, source.source_id),
            SourceChannels(await store.channels(db, source.source_id)),
            await discovery_stats(db, source.source_id),
            job,
        )


async def latest_articles(db: asyncpg.Connection, named: str | None, since: datetime, limit: int) -> NewsList:
    """The latest articles of one source or of all sources; raises NotFound."""
    page = PageRequest(limit).checked(MOST_ARTICLES)
    async with db.transaction():
        source_id = (await SourceStore().find(db, named)).source_id if named else None
        return NewsList(await latest(db, source_id, since, page.limit))
