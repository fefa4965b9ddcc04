"""The result of an exhibit of the demo site, from the database and the log of the site."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import asyncpg

from outrider.db.queries import Queries
from outrider.demo import Exhibit, Expect
from outrider.documents.store import DocumentStore
from outrider.frontier.dead_reason import DeadReason
from outrider.frontier.model import State
from outrider.frontier.stats import StatsStore
from outrider.urls import key_of, normalize
from outrider.wording import plural, words

_SQL = Queries.load("outrider.services")

MOST_TRAP_PAGES = 100
_LONGEST_CHAIN = 10


@dataclass(frozen=True, slots=True)
class ExhibitResult:
    """An exhibit, its result, and whether the result is the expected one."""

    exhibit: Exhibit
    told: str
    is_as_expected: bool

    def json_form(self) -> dict[str, object]:
        return {
            "name": self.exhibit.name,
            "path": self.exhibit.path,
            "expected": self.exhibit.expect,
            "found": self.told,
            "ok": self.is_as_expected,
        }


async def check_exhibit(
    db: asyncpg.Connection, site: str, exhibit: Exhibit, asked: Sequence[str]
) -> ExhibitResult:
    """Compare an exhibit with the database; `asked` are the requested paths, as they were written."""
    stats = StatsStore()
    url = normalize(exhibit.path, site)
    row = await stats.find(db, key_of(url))
    match exhibit.expect:
        case Expect.UNSEEN | Expect.BINARY:
            return ExhibitResult(exhibit, "never asked for" if row is None else _state(row), row is None)
        case Expect.FEED:
            is_left = row is None or row["state"] == State.FETCHED
            return ExhibitResult(exhibit, "left to `outrider watch`" if is_left else _state(row), is_left)
        case Expect.SAME_URL:
            is_known = row is not None and exhibit.path not in asked
            return ExhibitResult(
                exhibit, "taken for the address without them" if is_known else "asked for twice", is_known
            )
        case Expect.TRAP:
            folder = exhibit.path.partition("?")[0].split("/")[1]
            fetched = sum(path.split("?")[0].split("/")[1] == folder for path in asked)
            return ExhibitResult(
                exhibit, f"left alone after {plural(fetched, 'page')}", 0 < fetched <= MOST_TRAP_PAGES
            )
        case Expect.DUPLICATE | Expect.NEAR_DUPLICATE | Expect.NOINDEX:
            return await _document(db, exhibit, url)
        case Expect.FETCHED:
            return ExhibitResult(exhibit, _state(row), row is not None and row["state"] == State.FETCHED)
    end = await _end_of_chain(db, stats, row)
    if exhibit.expect is Expect.ALIAS:
        is_met = row is not end and end["state"] == State.FETCHED
        return ExhibitResult(exhibit, f"leads to {end['url']}" if is_met else _state(row), is_met)
    row = end
    is_met = row is not None and row["state"] == State.DEAD and f"dead:{row['reason']}" == exhibit.expect
    return ExhibitResult(exhibit, _state(row), is_met)


async def _document(db: asyncpg.Connection, exhibit: Exhibit, url: str) -> ExhibitResult:
    document: Any = await DocumentStore().find(db, key_of(url))
    if document is None:
        return ExhibitResult(exhibit, "not kept", False)
    if exhibit.expect is Expect.NOINDEX:
        return ExhibitResult(
            exhibit, "kept and marked" if document["noindex"] else "kept unmarked", document["noindex"]
        )
    is_copy, is_near = document["duplicate_hash"] is not None, document["near_duplicate"]
    if exhibit.expect is Expect.NEAR_DUPLICATE and not is_copy:
        # The one that was compared second is the copy, and the order varies.
        other = await db.fetchval(_SQL.near_copy, *key_of(url))
        return ExhibitResult(
            exhibit, f"nearly the same as {other}" if other else "kept as its own", other is not None
        )
    told = (
        f"{'nearly ' if is_near else ''}a copy of {document['duplicate_of']}"
        if is_copy
        else "kept as its own"
    )
    return ExhibitResult(exhibit, told, is_copy and is_near == (exhibit.expect is Expect.NEAR_DUPLICATE))


async def _end_of_chain(db: asyncpg.Connection, stats: StatsStore, row: Any) -> Any:
    """The last entry of a chain of redirects: a loop is recognised at its last hop."""
    for _ in range(_LONGEST_CHAIN):
        if row is None or row["redirects_to"] is None:
            break
        row = await stats.find(db, key_of(row["redirects_to"]))
    return row


def _state(row: Any) -> str:
    if row is None:
        return "never asked for"
    match State(row["state"]):
        case State.FETCHED:
            return "kept"
        case State.ALIAS:
            return f"leads to {row['redirects_to']}"
        case State.DEAD if row["reason"] == DeadReason.UNSUPPORTED_CONTENT_TYPE:
            return "seen; no page to keep"
        case State.DEAD:
            return words(row["reason"])
        case _:
            return "still queued"
