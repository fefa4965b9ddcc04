"""Finds pages that say nearly the same: one pass over documents nobody has compared yet.

Off the hot path on purpose. A document is signed once; those it may resemble are found through the
index of bands, so a pass costs the same among a thousand documents and among a million.
"""

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import asyncpg

from outrider.documents.packing import unpack
from outrider.documents.store import DocumentStore
from outrider.extract.similarity.signature import bands, near_duplicates, signature
from outrider.urls import UrlKey

PASS = 200  # documents: a twentieth of a second's work


@dataclass(frozen=True, slots=True)
class Compared:
    """What one pass did."""

    signed: int
    alike: int


class SignedDocuments:
    """The documents a pass may find a twin among: those before it, and its own."""

    def __init__(self, by_band: dict[int, list[UrlKey]], signatures: dict[UrlKey, bytes]) -> None:
        self._by_band = by_band
        self._signatures = signatures

    def twin_of(self, key: UrlKey, sig: bytes) -> UrlKey | None:
        """The first that says nearly the same."""
        candidates = dict.fromkeys(other for band in bands(sig) for other in self._by_band.get(band, ()))
        for other in candidates:
            if other != key and near_duplicates(sig, self._signatures.get(other, b"")):
                return other
        return None

    def add(self, key: UrlKey, sig: bytes) -> Sequence[int]:
        """Let others find this one; returns the bands under which the index does not have it yet."""
        fresh = [band for band in bands(sig) if key not in self._by_band.get(band, ())]
        for band in fresh:
            self._by_band.setdefault(band, []).append(key)
        self._signatures[key] = sig
        return fresh


async def compare(db: asyncpg.Connection, store: DocumentStore, slot: int, limit: int = PASS) -> Compared:
    """Sign up to `limit` documents and mark those that repeat an earlier one."""
    waiting = await store.unsigned(db, limit) if await store.take_turn_comparing(db) else []
    if not waiting:
        return Compared(0, 0)
    # Hashing thousands of words is work for a thread: lanes go on meanwhile.
    signatures = await asyncio.to_thread(
        lambda: [(key, signature(unpack(text))) for key, text in waiting],
    )
    known = await _known(db, store, [sig for _, sig in signatures])
    signed: list[tuple[UrlKey, bytes, UrlKey | None]] = []
    fresh: list[tuple[UrlKey, Sequence[int]]] = []
    for key, sig in signatures:
        twin = known.twin_of(key, sig)
        signed.append((key, sig, twin))
        if twin is None:
            fresh.append((key, known.add(key, sig)))
    await store.sign(db, signed, slot)
    if fresh:
        await store.add_bands(db, fresh)
    return Compared(len(signed), sum(twin is not None for _, _, twin in signed))


async def _known(
    db: asyncpg.Connection, store: DocumentStore, signatures: Sequence[bytes]
) -> SignedDocuments:
    by_band: dict[int, list[UrlKey]] = defaultdict(list)
    for band, key in await store.sharing_a_band(db, {band for sig in signatures for band in bands(sig)}):
        by_band[band].append(key)
    keys = {key for sharing in by_band.values() for key in sharing}
    return SignedDocuments(by_band, await store.signatures(db, keys) if keys else {})
