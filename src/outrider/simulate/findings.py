"""The crawler's knowledge at the end of a simulation, read from its tables."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

import asyncpg

from outrider.db.queries import Queries


@dataclass(frozen=True, slots=True)
class FirstSighting:
    """An article, and when and by which discovery method the crawler first saw it."""

    url: str
    way: str
    seen_at: datetime


@dataclass(frozen=True, slots=True)
class SimulationFindings:
    known: frozenset[str] = frozenset()  # addresses of pages in the frontier
    first_sightings: Sequence[FirstSighting] = ()
    duplicates: Mapping[str, int] = field(default_factory=dict)  # documents recognised as duplicates, by host
    barren: frozenset[str] = frozenset()  # hosts with a barren template


class FindingsStore:
    """Reads only."""

    def __init__(self) -> None:
        self._sql = Queries.load("outrider.simulate")

    async def read(self, db: asyncpg.Connection) -> SimulationFindings:
        known = await db.fetch(self._sql.known_pages)
        first_sightings = await db.fetch(self._sql.first_sightings)
        duplicates = await db.fetch(self._sql.duplicates_by_host)
        barren = await db.fetch(self._sql.hosts_with_barren_templates)
        return SimulationFindings(
            frozenset(row["url"] for row in known),
            [FirstSighting(row["url"], row["way"], row["seen_at"]) for row in first_sightings],
            {row["host"]: row["documents"] for row in duplicates},
            frozenset(row["host"] for row in barren),
        )
