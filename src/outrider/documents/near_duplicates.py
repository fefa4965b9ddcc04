"""Finds near-duplicates: each pass compares documents that were not compared yet.

A document gets its signature while its page is in hand, so a pass reads no text. The index of bands finds the
documents that may resemble it, so a pass takes the same time among a thousand documents and among a million.
Only documents that are no copies stand in the index: a page with thousands of copies would hide behind them.
"""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

import asyncpg

from outrider.documents.count_changes import CountChanges, count_changes
from outrider.documents.packing import unpack
from outrider.documents.store import DocumentStore
from outrider.extract.similarity.signature import bands, near_duplicates, signature
from outrider.urls import UrlKey

PASS = 200  # documents: about 50 ms of work


@dataclass(frozen=True, slots=True)
class ComparisonResult:
    """The result of one pass."""

    signed: int
    alike: int
    counts: CountChanges = field(default_factory=Counter)


class SignedDocuments:
    """The candidates of a pass: documents signed before it, and its own."""

    def __init__(self, by_band: dict[int, list[UrlKey]], signatures: dict[UrlKey, bytes]) -> None:
        self._by_band = by_band
        self._signatures = signatures

    def near_duplicate_of(self, key: UrlKey, sig: bytes) -> UrlKey | None:
        """The first candidate that is a near-duplicate."""
        candidates = dict.fromkeys(other for band in bands(sig) for other in self._by_band.get(band, ()))
        for other in candidates:
            if other != key and near_duplicates(sig, self._signatures.get(other, b"")):
                return other
        return None

    def add(self, key: UrlKey, sig: bytes) -> Sequence[int]:
        """Add a candidate; returns the bands that the index does not have for it yet."""
        fresh = [band for band in bands(sig) if key not in self._by_band.get(band, ())]
        for band in fresh:
            self._by_band.setdefault(band, []).append(key)
        self._signatures[key] = sig
        return fresh


async def compare(db: asyncpg.Connection, store: DocumentStore, limit: int = PASS) -> ComparisonResult:
    """Compare up to `limit` documents and mark the near-duplicates of earlier ones.

    The caller adds `counts` of the result to the counters, in the same transaction.
    """
    if not await store.lock_comparison(db):
        return ComparisonResult(0, 0)
    waiting = await store.take_uncompared(db, limit)
    if not waiting:
        return await _compare_unsigned(db, store, limit)
    known = await _known(db, store, [sig for _, sig in waiting if sig])
    copies: list[tuple[UrlKey, bytes, UrlKey | None]] = []
    fresh: list[tuple[UrlKey, Sequence[int]]] = []
    for key, sig in waiting:
        if not sig:
            continue
        if (twin := known.near_duplicate_of(key, sig)) is not None:
            copies.append((key, sig, twin))
        else:
            fresh.append((key, known.add(key, sig)))
    counts = await store.sign(db, copies) if copies else count_changes(())
    if fresh:
        await store.add_bands(db, fresh)
    return ComparisonResult(len(waiting), len(copies), counts)


async def _compare_unsigned(db: asyncpg.Connection, store: DocumentStore, limit: int) -> ComparisonResult:
    """The same for documents without a signature, whose text has to be read."""
    waiting = await store.unsigned(db, limit)
    if not waiting:
        return ComparisonResult(0, 0)
    # Hashing thousands of words runs in a thread, so that the lanes are not blocked.
    signatures = await asyncio.to_thread(
        lambda: [(key, signature(unpack(text))) for key, text in waiting],
    )
    known = await _known(db, store, [sig for _, sig in signatures])
    signed: list[tuple[UrlKey, bytes, UrlKey | None]] = []
    fresh: list[tuple[UrlKey, Sequence[int]]] = []
    for key, sig in signatures:
        twin = known.near_duplicate_of(key, sig)
        signed.append((key, sig, twin))
        if twin is None:
            fresh.append((key, known.add(key, sig)))
    counts = await store.sign(db, signed)
    if fresh:
        await store.add_bands(db, fresh)
    return ComparisonResult(len(signed), sum(twin is not None for _, _, twin in signed), counts)


async def _known(
    db: asyncpg.Connection, store: DocumentStore, signatures: Sequence[bytes]
) -> SignedDocuments:
    by_band: dict[int, list[UrlKey]] = defaultdict(list)
    for band, key in await store.find_by_bands(db, {band for sig in signatures for band in bands(sig)}):
        by_band[band].append(key)
    keys = {key for sharing in by_band.values() for key in sharing}
    return SignedDocuments(by_band, await store.signatures(db, keys) if keys else {})
