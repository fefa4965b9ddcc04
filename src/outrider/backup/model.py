"""Backups: the types."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any, Self

FORMAT = 1


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a dump holds, written beside it. The rows were counted in the snapshot of the dump."""

    created_at: datetime
    outrider: str
    schema: int  # the newest migration
    postgresql: str
    database_bytes: int
    bytes: int  # of the dump
    sha256: str
    urls: int
    rows: Mapping[str, int]  # table → rows
    verified_at: datetime | None = None  # when it was last verified
    problem: str | None = None  # why the last verification failed

    @property
    def pages(self) -> int:
        """The pages that are stored."""
        return self.rows.get("document", 0)

    @property
    def is_good(self) -> bool:
        """Whether its last verification succeeded."""
        return self.verified_at is not None and self.problem is None

    def as_text(self) -> str:
        return json.dumps({"format": FORMAT, **asdict(self)}, indent=1, default=datetime.isoformat) + "\n"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read what `as_text` wrote; raises ValueError for any other text."""
        try:
            given: dict[str, Any] = json.loads(text)
            if given.pop("format") != FORMAT:
                raise ValueError("it has a format that this Outrider does not know")
            for name in ("created_at", "verified_at"):
                given[name] = given[name] and datetime.fromisoformat(given[name])
            found = cls(**given)
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError("it is no manifest of a backup") from error
        if found.created_at.tzinfo is None:
            raise ValueError("it is no manifest of a backup")
        return found


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a backup has come. The figures grow while it is written."""

    figures: dict[str, Any] = field(default_factory=dict)
