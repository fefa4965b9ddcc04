"""The numbered files that make the schema: `NNNN_name.up.sql` and `NNNN_name.down.sql`.

A file whose first line is `-- outrider: no transaction` holds one statement that cannot run in
one (CREATE INDEX CONCURRENTLY) and is written so that it may run again after a crash.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256
from importlib.resources import files

_FILE = re.compile(r"(?P<version>\d{4})_(?P<name>[a-z0-9_]+)\.(?P<direction>up|down)\.sql")
_RUNS_ALONE = "-- outrider: no transaction"


@dataclass(frozen=True, slots=True)
class Migration:
    """One step of the schema and the way back."""

    version: int
    name: str
    up: str = field(repr=False)
    down: str = field(repr=False)

    @property
    def label(self) -> str:
        return f"{self.version:04}_{self.name}"

    @property
    def checksum(self) -> str:
        return sha256(self.up.encode()).hexdigest()

    @staticmethod
    def runs_alone(text: str) -> bool:
        return text.lstrip().startswith(_RUNS_ALONE)


def read(sources: Iterable[tuple[str, str]]) -> tuple[Migration, ...]:
    """Pair up (file name, text); a gap, a double or a missing direction raises ValueError."""
    texts: dict[tuple[int, str], dict[str, str]] = {}
    for file, text in sources:
        parts = _FILE.fullmatch(file)
        if parts is None:
            raise ValueError(f"{file} is not named like 0001_name.up.sql")
        key = int(parts["version"]), parts["name"]
        texts.setdefault(key, {})[parts["direction"]] = text
    for (version, name), pair in texts.items():
        for direction in ("up", "down"):
            if direction not in pair:
                raise ValueError(f"migration {version:04}_{name} has no .{direction}.sql")
    versions = sorted(version for version, _ in texts)
    if versions != list(range(1, len(versions) + 1)):
        raise ValueError(f"migrations must be numbered 1, 2, 3 …; found {versions}")
    return tuple(
        Migration(version, name, pair["up"], pair["down"]) for (version, name), pair in sorted(texts.items())
    )


KNOWN: tuple[Migration, ...] = read(
    (file.name, file.read_text(encoding="utf-8"))
    for file in files(__name__).iterdir()
    if file.name.endswith(".sql")
)
