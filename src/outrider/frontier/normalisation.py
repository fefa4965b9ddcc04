"""The version of the normalisation rules in a database, and whether this Outrider has the same."""

from dataclasses import dataclass
from enum import StrEnum

import asyncpg

from outrider.db.queries import Queries
from outrider.errors import Misconfigured
from outrider.urls import RULES_VERSION, UrlKey

FIRST = UrlKey(-(2**63), "0" * 32)

_SQL = Queries.load("outrider.frontier")


class RehashPhase(StrEnum):
    """The phase of a rehash (`services/urls/rehash.py`). It is stored, so that a rehash can be resumed."""

    SPELL = "spell"
    MOVE = "move"
    POINT = "point"
    CHECK = "check"


@dataclass(frozen=True, slots=True)
class NormalisationState:
    """The rules of a database. During a rehash also the new rules and the progress."""

    version: int
    becoming: int | None
    phase: RehashPhase
    after: UrlKey


async def normalisation_state(db: asyncpg.Connection) -> NormalisationState:
    [row] = await db.fetch(_SQL.read_rules_version)
    after = FIRST if row["after_hash"] is None else UrlKey(row["after_host_id"], row["after_hash"].hex)
    return NormalisationState(
        row["version"], row["becoming"], RehashPhase(row["phase"] or RehashPhase.SPELL), after
    )


async def ensure_rules_version(db: asyncpg.Connection, version: int = RULES_VERSION) -> None:
    """Refuse a database whose URLs follow other rules; an empty database takes the current rules."""
    found = await normalisation_state(db)
    if found.becoming is not None:
        raise Misconfigured("a rehash of this database was begun and is not finished: run `outrider rehash`")
    if found.version == version:
        return
    if await db.fetchval(_SQL.has_urls):
        raise Misconfigured(
            f"the URLs of this database are spelt by rules {found.version} and this Outrider has {version}: "
            "run `outrider rehash`"
        )
    await set_rules_version(db, version)


async def save_rehash_progress(
    db: asyncpg.Connection, version: int, phase: RehashPhase, after: UrlKey
) -> None:
    """Store the progress of a rehash."""
    await db.execute(_SQL.save_rehash_progress, version, phase.value, after.host_id, after.hash)


async def set_rules_version(db: asyncpg.Connection, version: int) -> None:
    """Record that all URLs follow these rules."""
    await db.execute(_SQL.set_rules_version, version)
