"""Finds near-duplicates: each pass compares documents that were not compared yet.

A document gets its signature while its page is in hand, so a pass reads no text. The index of bands finds the
documents that may resemble it, so a pass takes the same time among a thousand documents and among a million.
Only documents that are no copies stand in the index: a page with thousands of copies would hide behind them.
"""

import asyncio
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import asyncpg

from outrider.documents.count_changes import CountChanges, count_changes
from outrider.documents.store import MOST_SHARING, DocumentStore
from outrider.text_signatures import are_alike, bands
from outrider.urls import UrlKey

PASS = 200  # documents: about 15 ms of work


@dataclass(frozen=True, slots=True)
class ComparisonResult:
    """The result of one pass."""

    signed: int
    alike: int
    counts: CountChanges = field(default_factory=Counter)


class SignedDocument(NamedTuple):
    """A document to compare."""

    key: UrlKey
    signature: bytes
    bands: Sequence[int]


class Findings(NamedTuple):
    """What a pass found."""

    copies: list[tuple[UrlKey, bytes, UrlKey]]  # near-duplicates, each with the document it resembles
    others: list[tuple[UrlKey, bytes, Sequence[int | None]]]  # with the bands that the index lacks


class Candidates:
    """The candidates of a pass: documents compared before it, and its own."""

    def __init__(self, by_band: dict[int, tuple[UrlKey, ...]], signatures: dict[UrlKey, bytes]) -> None:
        self._by_band = by_band
        self._signatures = signatures

    def sort(self, documents: Iterable[SignedDocument]) -> Findings:
        """Tell near-duplicates from the others, which become candidates in turn."""
        found = Findings([], [])
        for document in documents:
            # Most documents share no band with any other, which one step finds out.
            is_alone = self._by_band.keys().isdisjoint(document.bands)
            twin = None if is_alone else self._near_duplicate_of(document)
            if twin is not None:
                found.copies.append((document.key, document.signature, twin))
                continue
            missing = self._add_alone(document) if is_alone else self._add(document)
            self._signatures[document.key] = document.signature
            found.others.append((document.key, document.signature, missing))
        return found

    def _near_duplicate_of(self, document: SignedDocument) -> UrlKey | None:
        """The first candidate that is a near-duplicate."""
        known, signature = self._by_band, document.signature
        candidates = dict.fromkeys(other for band in document.bands for other in known.get(band, ()))
        for other in candidates:
            if other != document.key and are_alike(signature, self._signatures.get(other, b"")):
                return other
        return None

    def _add_alone(self, document: SignedDocument) -> Sequence[int]:
        self._by_band.update(dict.fromkeys(document.bands, (document.key,)))
        return document.bands

    def _add(self, document: SignedDocument) -> Sequence[int | None]:
        """Add a candidate. Returns its bands; None for each that the index has for it, or has no room for."""
        missing: list[int | None] = []
        for band in document.bands:
            sharing = self._by_band.get(band, ())
            is_known = document.key in sharing
            missing.append(None if is_known or len(sharing) >= MOST_SHARING else band)
            if not is_known:
                self._by_band[band] = (*sharing, document.key)
        return missing


async def compare(db: asyncpg.Connection, store: DocumentStore, limit: int = PASS) -> ComparisonResult:
    """Compare up to `limit` documents and mark the near-duplicates of earlier ones.

    The caller adds `counts` of the result to the counters, in the same transaction.
    """
    if not await store.lock_comparison(db):
        return ComparisonResult(0, 0)
    waiting = await store.take_uncompared(db, limit)
    if not waiting:
        return await _compare_unsigned(db, store, limit)
    documents = [SignedDocument(key, signed, bands(signed)) for key, signed in waiting if signed]
    found = (await _candidates(db, store, documents)).sort(documents)
    counts = await store.sign(db, found.copies) if found.copies else count_changes(())
    await _add_bands(db, store, found)
    return ComparisonResult(len(waiting), len(found.copies), counts)


async def _compare_unsigned(db: asyncpg.Connection, store: DocumentStore, limit: int) -> ComparisonResult:
    """The same for documents without a signature, whose text has to be read."""
    waiting = await store.unsigned(db, limit)
    if not waiting:
        return ComparisonResult(0, 0)
    # Slow to import, and only documents of earlier versions need it.
    from outrider.documents.packing import unpack
    from outrider.extract.similarity.signature import signature

    # Hashing thousands of words runs in a thread, so that the lanes are not blocked.
    signatures = await asyncio.to_thread(
        lambda: [(key, signature(unpack(text))) for key, text in waiting],
    )
    documents = [SignedDocument(key, signed, bands(signed)) for key, signed in signatures]
    found = (await _candidates(db, store, documents)).sort(documents)
    signed = [*found.copies, *((key, signature, None) for key, signature, _ in found.others)]
    counts = await store.sign(db, signed)
    await _add_bands(db, store, found)
    return ComparisonResult(len(signed), len(found.copies), counts)


async def _add_bands(db: asyncpg.Connection, store: DocumentStore, found: Findings) -> None:
    """Add the documents to the index, except those that are too short to have bands."""
    if fresh := [(key, missing) for key, _, missing in found.others if missing]:
        await store.add_bands(db, fresh)


async def _candidates(
    db: asyncpg.Connection, store: DocumentStore, documents: Sequence[SignedDocument]
) -> Candidates:
    """The documents in the index that share a band with one of these."""
    by_band: dict[int, tuple[UrlKey, ...]] = {}
    for band, key in await store.find_by_bands(db, set().union(*(document.bands for document in documents))):
        by_band[band] = (*by_band.get(band, ()), key)
    keys = {key for sharing in by_band.values() for key in sharing}
    return Candidates(by_band, await store.signatures(db, keys) if keys else {})
