"""A link of a file, and what a file offers to links."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class FoundLink:
    """A link as the file spells it."""

    href: str
    line: int


@dataclass(frozen=True, slots=True)
class FilePlace:
    """Where a link stands."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True)
class ReadFile:
    """The links of a file, and the fragments that exist in it."""

    path: Path
    links: tuple[FoundLink, ...]
    fragments: frozenset[str]
