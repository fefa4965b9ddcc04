"""Settings of the database connection."""

from dataclasses import dataclass, field
from pathlib import Path

from outrider.db.location import default_data_dir
from outrider.options import setting


@dataclass(frozen=True, slots=True)
class DatabaseOptions:
    """Settings of the database."""

    url: str | None = field(
        default=None,
        metadata=setting(
            "OUTRIDER_DATABASE_URL",
            "The PostgreSQL server to use; without it one runs in the data directory.",
            alias=("FETCHER_DATABASE_URL",),
            secret=True,
        ),
    )
    data_dir: Path = field(
        default_factory=default_data_dir,
        metadata=setting("OUTRIDER_DATA", "Where the embedded database and everything else is kept."),
    )
    connections: int = field(
        default=4,
        metadata=setting(
            "OUTRIDER_DATABASE_CONNECTIONS", "Most connections in the pool of one process.", least=1, most=100
        ),
    )
    through_pooler: bool = field(
        default=False,
        metadata=setting(
            "OUTRIDER_DATABASE_POOLER",
            "The URL leads to PgBouncer in transaction mode, so nothing may live in a session.",
        ),
    )
    statement_timeout_s: float = field(
        default=60.0,
        metadata=setting(
            "OUTRIDER_DATABASE_TIMEOUT",
            "Longest time one statement may take.",
            kind="duration",
            least=1,
            most=3600,
        ),
    )
