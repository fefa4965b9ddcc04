"""Finds pages that say nearly the same: one pass over documents nobody has compared yet.

Off the hot path on purpose. A document is signed once; those it may resemble are found through the
index of bands, so a pass costs the same among a thousand documents and among a million.
"""

import asyncio
from collections import defaultdict
from dataclasses import dataclass

import asyncpg

from outrider.documents.packing import unpack
from outrider.documents.store import DocumentStore
from outrider.extract.signature import bands, near_duplicates, signature
from outrider.urls import UrlKey


@dataclass(frozen=True, slots=True)
class Compared:
    """What one pass did."""

    signed: int
    alike: int


async def compare(db: asyncpg.Connection, store: DocumentStore, slot: int, limit: int = 50) -> Compared:
    """Sign up to `limit` documents and mark those that repeat an earlier one."""
    waiting = await store.unsigned(db, limit)
    if not waiting:
        return Compared(0, 0)
    # Hashing thousands of words is work for a thread: lanes go on meanwhile.
    signatures = await asyncio.to_thread(
        lambda: [(key, signature(unpack(text))) for key, text in waiting],
    )
    known = await _candidates(db, store, [sig for _, sig in signatures])
    signed: list[tuple[UrlKey, bytes, UrlKey | None]] = []
    fresh: list[tuple[int, UrlKey]] = []
    for key, sig in signatures:
        twin = _twin(sig, known)
        signed.append((key, sig, twin))
        if twin is None:
            for band in bands(sig):
                fresh.append((band, key))
                known[band].append((key, sig))
    await store.sign(db, signed, slot)
    if fresh:
        await store.add_bands(db, fresh)
    return Compared(len(signed), sum(twin is not None for _, _, twin in signed))


async def _candidates(
    db: asyncpg.Connection, store: DocumentStore, signatures: list[bytes]
) -> dict[int, list[tuple[UrlKey, bytes]]]:
    wanted = {band for sig in signatures for band in bands(sig)}
    known: dict[int, list[tuple[UrlKey, bytes]]] = defaultdict(list)
    for band, key, sig in await store.sharing_a_band(db, wanted):
        known[band].append((key, sig))
    return known


def _twin(sig: bytes, known: dict[int, list[tuple[UrlKey, bytes]]]) -> UrlKey | None:
    for band in bands(sig):
        for key, other in known[band]:
            if near_duplicates(sig, other):
                return key
    return None
