"""The use case of `outrider rehash`: normalise stored URLs by other rules (NRM-15).

    spell → move → point → check

URLs get their new spelling and their new keys; two URLs that become equal are merged. Every step of every
phase is one transaction that also stores its position, so a killed rehash continues from there. No worker may
run meanwhile: until the last step the database has URLs of both sets of rules, and records that state.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import asyncpg

from outrider.documents.rehash import drop_old_bands, rehash_documents, repoint_copies
from outrider.errors import Conflict, InvalidUrl
from outrider.frontier.normalisation import (
    FIRST,
    RehashPhase,
    normalisation_state,
    save_rehash_progress,
    set_rules_version,
)
from outrider.frontier.rehash import MoveCounts, RehashStore
from outrider.frontier.renormalise import Renormaliser
from outrider.services.as_json import json_name
from outrider.sources.owners import all_owners
from outrider.sources.policy import Policy
from outrider.urls import DEFAULT_RULES, RULES_VERSION, Rules, UrlKey
from outrider.watch.rehash import rehash_watched, renormalise_discovered
from outrider.worker_registry.store import WorkerRegistry

SPELT_AT_ONCE = 2_000
MOVED_AT_ONCE = 500
SLOT = 0
STORE = RehashStore(SLOT)


@dataclass(frozen=True, slots=True)
class RehashCounts:
    """The counts of a rehash, done or planned."""

    looked_at: int = 0
    respelt: int = 0
    merged: int = 0
    refused: int = 0  # not valid by these rules; they stay unchanged


@dataclass(frozen=True, slots=True)
class RehashReport:
    """The old and the new rules, and the counts of the rehash or of its dry run."""

    from_version: int = field(metadata=json_name("from"))
    to_version: int = field(metadata=json_name("to"))
    resumed: bool  # an earlier rehash was not finished
    looked_at: int
    respelt: int
    merged: int
    refused: int
    dry_run: bool


async def rehash_urls(db: asyncpg.Connection, *, again: bool = False, dry_run: bool = False) -> RehashReport:
    """Normalise every stored URL by the rules of this version, or only report the changes.

    Raises Conflict while workers or another rehash run.
    """
    before = await normalisation_state(db)
    done = await (preview if dry_run else rehash)(db, again=again)
    return RehashReport(
        from_version=before.version,
        to_version=RULES_VERSION,
        resumed=before.becoming is not None,
        looked_at=done.looked_at,
        respelt=done.respelt,
        merged=done.merged,
        refused=done.refused,
        dry_run=dry_run,
    )


async def rehash(
    db: asyncpg.Connection,
    version: int = RULES_VERSION,
    general: Rules = DEFAULT_RULES,
    *,
    again: bool = False,
) -> RehashCounts:
    """Normalise every stored URL by these rules; continues an interrupted run.

    `again`: also when the version is the same, because the rules of a source have changed.
    """
    async with _alone(db):
        found = await normalisation_state(db)
        if found.becoming not in (None, version):
            raise Conflict(
                f"a rehash to rules {found.becoming} is unfinished: finish it with that Outrider first"
            )
        if found.version == version and found.becoming is None and not again:
            return RehashCounts()
        looked_at = refused = respelt = merged = 0
        if found.phase is RehashPhase.SPELL:
            renormaliser = await _speller(db, general, is_strict=again)
            await renormalise_discovered(db, renormaliser, SPELT_AT_ONCE)
            looked_at, refused = await _spell(db, renormaliser, found.after, version)
        if found.phase in (RehashPhase.SPELL, RehashPhase.MOVE):
            respelt, merged = await _move(db, version)
        if found.phase is not RehashPhase.CHECK:
            await _walk(
                db, RehashPhase.POINT, version, found.after if found.phase is RehashPhase.POINT else FIRST
            )
        await _walk(
            db, RehashPhase.CHECK, version, found.after if found.phase is RehashPhase.CHECK else FIRST
        )
        async with db.transaction():
            await drop_old_bands(db)
            await STORE.forget_plan(db)
            await set_rules_version(db, version)
        return RehashCounts(looked_at, respelt, merged, refused)


async def preview(
    db: asyncpg.Connection,
    version: int = RULES_VERSION,
    general: Rules = DEFAULT_RULES,
    *,
    again: bool = False,
) -> RehashCounts:
    """The counts that a rehash would have; nothing is written."""
    async with _alone(db):
        undone = db.transaction()
        await undone.start()
        try:
            renormaliser = await _speller(db, general, is_strict=again)
            looked_at, refused = await _spell(db, renormaliser, FIRST, version)
            counts = await STORE.count_planned(db)
            return RehashCounts(looked_at, counts.respelt, counts.merged, refused)
        finally:
            await undone.rollback()


@asynccontextmanager
async def _alone(db: asyncpg.Connection) -> AsyncIterator[None]:
    """Raises Conflict while another rehash or a worker runs."""
    if not await STORE.lock(db):
        raise Conflict("another rehash of this database is running")
    try:
        workers = await WorkerRegistry().live(db)
        if workers:
            names = ", ".join(f"{worker.machine}:{worker.pid}" for worker in workers)
            raise Conflict(f"workers are running ({names}): stop them first")
        await STORE.allow_long_statements(db)
        yield
    finally:
        if not db.is_closed():
            await STORE.unlock(db)


async def _speller(db: asyncpg.Connection, general: Rules, *, is_strict: bool) -> Renormaliser:
    plain = Policy().url_rules()
    own = {owner.source_id: owner.policy.url_rules() for owner in await all_owners(db)}
    of_sources = {source_id: rules for source_id, rules in own.items() if rules != plain}
    return Renormaliser(general, of_sources, is_strict)


async def _spell(
    db: asyncpg.Connection, renormaliser: Renormaliser, after: UrlKey, version: int
) -> tuple[int, int]:
    """Plan the moves; returns how many URLs were read and how many are no longer valid."""
    looked_at = refused = 0
    while True:
        found = await STORE.urls_after(db, after, SPELT_AT_ONCE)
        moves = []
        for stored in found:
            try:
                move = renormaliser.move(stored.key, stored.url, stored.source_id, stored.kind)
            except InvalidUrl:
                refused += 1
            else:
                moves += [] if move is None else [move]
            after = stored.key
        looked_at += len(found)
        async with db.transaction():
            await STORE.plan(db, moves)
            phase = RehashPhase.SPELL if len(found) == SPELT_AT_ONCE else RehashPhase.MOVE
            await save_rehash_progress(db, version, phase, after)
        if phase is RehashPhase.MOVE:
            return looked_at, refused


async def _move(db: asyncpg.Connection, version: int) -> tuple[int, int]:
    """Move entries to their new keys; returns how many moved, and how many were merged."""
    respelt = merged = 0
    await STORE.analyze_plan(db)
    while (some := await _move_some(db, force=False) or await _move_some(db, force=True)) is not None:
        respelt, merged = respelt + some.respelt, merged + some.merged
    await save_rehash_progress(db, version, RehashPhase.POINT, FIRST)
    return respelt, merged


async def _move_some(db: asyncpg.Connection, *, force: bool) -> MoveCounts | None:
    """Move some entries and all rows that refer to their keys, in one transaction."""
    async with db.transaction():
        counts = await STORE.take(db, 1 if force else MOVED_AT_ONCE, force=force)
        if not counts.respelt:
            return None
        await STORE.add_counts(db, await rehash_documents(db))
        await STORE.move_entries(db)
        await rehash_watched(db)
        await STORE.finish_moves(db)
    return counts


async def _walk(db: asyncpg.Connection, phase: RehashPhase, version: int, after: UrlKey) -> None:
    """Go through all entries in batches, and repair references to old keys, or break redirect cycles."""
    while (part := await STORE.next_range(db, after, SPELT_AT_ONCE)) is not None:
        async with db.transaction():
            if phase is RehashPhase.POINT:
                await STORE.repoint_entries(db, part)
                await repoint_copies(db, *part)
            else:
                await STORE.end_loops(db, part)
            after = UrlKey(*part[2:])
            await save_rehash_progress(db, version, phase, after)
    if phase is RehashPhase.POINT:
        await save_rehash_progress(db, version, RehashPhase.CHECK, FIRST)
