"""Stored URLs under other rules: respelt, moved to their new keys, merged where two become one (NRM-15).

    spell → move → point → check

The plan is a table of old keys and new ones. Every step of every phase is one transaction that also notes how
far it came, so whoever is killed goes on where he was. Nobody may crawl meanwhile: until the last step the
database belongs to neither set of rules, and says so.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any

import asyncpg

from outrider.crawl.by_hand.respell import Move, Speller
from outrider.db.queries import Queries
from outrider.errors import Conflict, InvalidUrl
from outrider.frontier.chains import end_loops
from outrider.frontier.model import ORIGINS, Kind, Submission
from outrider.frontier.options import FrontierOptions
from outrider.frontier.priority import DEFAULT
from outrider.frontier.spelling import FIRST, Phase, note_progress, note_spelling, standing
from outrider.frontier.store import FrontierStore
from outrider.sources.owners import all_owners
from outrider.sources.policy import Policy
from outrider.urls import DEFAULT_RULES, RULES_VERSION, Rules, UrlKey
from outrider.worker_registry.store import WorkerRegistry

SPELT_AT_ONCE = 2_000
MOVED_AT_ONCE = 500
SLOT = 0

_SQL = Queries.load("outrider.crawl.by_hand")


@dataclass(frozen=True, slots=True)
class Rehashed:
    """What a rehash did, or would do."""

    looked_at: int = 0
    respelt: int = 0
    merged: int = 0
    refused: int = 0  # not URLs any more by these rules; they stay as they are


async def rehash(
    db: asyncpg.Connection,
    version: int = RULES_VERSION,
    general: Rules = DEFAULT_RULES,
    *,
    again: bool = False,
) -> Rehashed:
    """Bring every stored URL to these rules, from where an earlier run was left.

    `again`: also when the version is the same, because the rules of a source have changed.
    """
    async with _alone(db):
        found = await standing(db)
        if found.becoming not in (None, version):
            raise Conflict(
                f"a rehash to rules {found.becoming} is unfinished: finish it with that Outrider first"
            )
        if found.version == version and found.becoming is None and not again:
            return Rehashed()
        looked_at = refused = respelt = merged = 0
        if found.phase is Phase.SPELL:
            speller = await _speller(db, general, is_strict=again)
            await _respell_discovered(db, speller)
            looked_at, refused = await _spell(db, speller, found.after, version)
        if found.phase in (Phase.SPELL, Phase.MOVE):
            respelt, merged = await _move(db, version)
        if found.phase is not Phase.CHECK:
            await _walk(db, Phase.POINT, version, found.after if found.phase is Phase.POINT else FIRST)
        await _walk(db, Phase.CHECK, version, found.after if found.phase is Phase.CHECK else FIRST)
        async with db.transaction():
            await db.execute(_SQL.drop_bands)
            await db.execute(_SQL.forget_moves)
            await note_spelling(db, version)
        return Rehashed(looked_at, respelt, merged, refused)


async def preview(
    db: asyncpg.Connection,
    version: int = RULES_VERSION,
    general: Rules = DEFAULT_RULES,
    *,
    again: bool = False,
) -> Rehashed:
    """What a rehash would do; nothing is written."""
    async with _alone(db):
        undone = db.transaction()
        await undone.start()
        try:
            speller = await _speller(db, general, is_strict=again)
            looked_at, refused = await _spell(db, speller, FIRST, version)
            [counts] = await db.fetch(_SQL.count_moves)
            return Rehashed(looked_at, counts["respelt"], counts["merged"], refused)
        finally:
            await undone.rollback()


@asynccontextmanager
async def _alone(db: asyncpg.Connection) -> AsyncIterator[None]:
    if not await db.fetchval(_SQL.alone):
        raise Conflict("another rehash of this database is running")
    try:
        workers = await WorkerRegistry().live(db)
        if workers:
            names = ", ".join(f"{worker.machine}:{worker.pid}" for worker in workers)
            raise Conflict(f"workers are running ({names}): stop them first")
        await db.execute(_SQL.take_your_time)
        yield
    finally:
        if not db.is_closed():
            await db.execute(_SQL.no_longer_alone)


async def _speller(db: asyncpg.Connection, general: Rules, *, is_strict: bool) -> Speller:
    plain = Policy().url_rules()
    own = {owner.source_id: owner.policy.url_rules() for owner in await all_owners(db)}
    of_sources = {source_id: rules for source_id, rules in own.items() if rules != plain}
    return Speller(general, of_sources, is_strict)


async def _spell(db: asyncpg.Connection, speller: Speller, after: UrlKey, version: int) -> tuple[int, int]:
    """Plan the moves; returns how many URLs were looked at and how many are none any more."""
    looked_at = refused = 0
    while True:
        rows = await db.fetch(_SQL.some_urls, after.host_id, after.hash, SPELT_AT_ONCE)
        moves = []
        for row in rows:
            key = UrlKey(row["host_id"], row["url_hash"].hex)
            try:
                move = speller.move(key, row["url"], row["source_id"], Kind(row["kind"]))
            except InvalidUrl:
                refused += 1
            else:
                moves += [] if move is None else [move]
            after = key
        looked_at += len(rows)
        async with db.transaction():
            await _plan(db, moves)
            phase = Phase.SPELL if len(rows) == SPELT_AT_ONCE else Phase.MOVE
            await note_progress(db, version, phase, after)
        if phase is Phase.MOVE:
            return looked_at, refused


async def _respell_discovered(db: asyncpg.Connection, speller: Speller) -> None:
    """Doing it twice changes nothing, so no note of how far it came is needed."""
    after = (0, FIRST)
    while rows := await db.fetch(_SQL.some_discovered, after[0], *after[1], SPELT_AT_ONCE):
        moves = []
        for row in rows:
            after = row["source_id"], UrlKey(row["host_id"], row["url_hash"].hex)
            with suppress(InvalidUrl):
                move = speller.move(after[1], row["url"], 0, Kind.PAGE)
                moves += [] if move is None else [(row["source_id"], move)]
        await db.execute(
            _SQL.move_discovered,
            [source_id for source_id, _ in moves],
            [move.old.host_id for _, move in moves],
            [move.old.hash for _, move in moves],
            [move.new.host_id for _, move in moves],
            [move.new.hash for _, move in moves],
            [move.url for _, move in moves],
        )


async def _plan(db: asyncpg.Connection, moves: list[Move]) -> None:
    await db.execute(
        _SQL.plan_moves,
        [move.old.host_id for move in moves],
        [move.old.hash for move in moves],
        [move.new.host_id for move in moves],
        [move.new.hash for move in moves],
        [move.host for move in moves],
        [move.url for move in moves],
    )


async def _move(db: asyncpg.Connection, version: int) -> tuple[int, int]:
    """Bring entries to their new keys; returns how many there were, and how many found somebody there."""
    respelt = merged = 0
    await db.execute(_SQL.learn_moves)
    while (some := await _move_some(db, force=False) or await _move_some(db, force=True)) is not None:
        respelt, merged = respelt + some[0], merged + some[1]
    await note_progress(db, version, Phase.POINT, FIRST)
    return respelt, merged


async def _move_some(db: asyncpg.Connection, *, force: bool) -> tuple[int, int] | None:
    """One transaction: entries and all that is known by their keys."""
    frontier = FrontierStore(FrontierOptions(), SLOT)
    async with db.transaction():
        await db.execute(_SQL.take_moves, 1 if force else MOVED_AT_ONCE, force)
        [counts] = await db.fetch(_SQL.count_in_hand)
        if not counts["respelt"]:
            return None
        await db.execute(_SQL.free_copies, SLOT)
        await db.execute(_SQL.merge_versions)
        await db.execute(_SQL.drop_superseded, SLOT)
        await db.execute(_SQL.move_documents)
        await db.execute(_SQL.number_documents)
        askers = await db.fetch(_SQL.askers_in_hand)
        await frontier.unshare(db, [key for row in askers for key in (_old(row), _new(row))])
        await db.execute(_SQL.merge_urls, SLOT)
        await db.execute(_SQL.move_urls)
        await db.execute(_SQL.move_history)
        await db.execute(_SQL.move_hops)
        # Whoever is not the one source of the page that is left wants it, too.
        await frontier.share(db, [_wanted(row) for row in askers])
        await db.execute(_SQL.move_sightings)
        await db.execute(_SQL.move_listings)
        double = await db.fetch(_SQL.drop_double_channels)
        await db.execute(_SQL.drop_channels, [row["goes"] for row in double])
        await db.execute(_SQL.move_channels)
        await db.execute(_SQL.name_hosts)
        await db.execute(_SQL.wake_new_hosts)
        await db.execute(_SQL.moved)
    return counts["respelt"], counts["merged"]


def _old(row: Any) -> UrlKey:
    return UrlKey(row["host_id"], row["url_hash"].hex)


def _new(row: Any) -> UrlKey:
    return UrlKey(row["new_host_id"], row["new_hash"].hex)


def _wanted(row: Any) -> Submission:
    return Submission(
        _new(row),
        "",
        "",
        DEFAULT,
        depth=row["depth"],
        source_id=row["source_id"],
        origin=ORIGINS[row["origin"]],
    )


async def _walk(db: asyncpg.Connection, phase: Phase, version: int, after: UrlKey) -> None:
    """Go through all entries, a part at a time, and mend what points at old keys, or see that chains end."""
    while True:
        last = await db.fetchrow(_SQL.last_of_some, after.host_id, after.hash, SPELT_AT_ONCE)
        if last is None:
            break
        part = (after.host_id, after.hash, last["host_id"], last["url_hash"].hex)
        async with db.transaction():
            if phase is Phase.POINT:
                await db.execute(_SQL.point_parents, *part)
                await db.execute(_SQL.point_aliases, *part)
                await db.execute(_SQL.point_copies, *part)
            else:
                await _check_chains(db, *part)
            after = UrlKey(last["host_id"], last["url_hash"].hex)
            await note_progress(db, version, phase, after)
    if phase is Phase.POINT:
        await note_progress(db, version, Phase.CHECK, FIRST)


async def _check_chains(db: asyncpg.Connection, *part: int | str) -> None:
    """Merging may close a circle of redirects."""
    rows = await db.fetch(_SQL.aliases_of_some, *part)
    moved = {
        UrlKey(row["host_id"], row["url_hash"].hex): UrlKey(row["redirect_host_id"], row["redirect_hash"].hex)
        for row in rows
    }
    await end_loops(db, moved, SLOT)
