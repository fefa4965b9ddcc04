"""A mutant, what a run of its tests came to, and what all runs came to."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import PurePosixPath
from typing import Any

PACKAGE = PurePosixPath("src/outrider")


@dataclass(frozen=True, slots=True)
class Mutant:
    """One small breakage of one file, and the tests that must notice it."""

    requirement: str
    breaks: str  # what goes wrong, in one sentence
    file: str  # path in the repository
    find: str
    replace: str
    tests: tuple[str, ...]  # `path::name`
    occurrence: int | None = None  # which one, counted from 1, where the text stands there more than once
    listed_in: str = ""  # the catalogue file

    @property
    def room(self) -> str:
        """The folder below src/outrider; modules beside the folders are `ground`."""
        parts = PurePosixPath(self.file).relative_to(PACKAGE).parts
        return parts[0] if len(parts) > 1 else "ground"

    @property
    def module(self) -> str | None:
        """The name to import the mutated module by; none for SQL and other data."""
        path = PurePosixPath(self.file)
        if path.suffix != ".py":
            return None
        parts = path.relative_to("src").with_suffix("").parts
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    def apply(self, text: str) -> str:
        """The file's text with the mutation in it. Raises `Stale` where it does not fit."""
        if self.find == self.replace:
            raise Stale("the replacement is the text itself")
        count = text.count(self.find) if self.find else 0
        if count == 0:
            raise Stale(f"{self.file} has no such text: {self.find!r}")
        if self.occurrence is None and count > 1:
            raise Stale(f"{self.file} has the text {count} times; say which with `occurrence`: {self.find!r}")
        if self.occurrence is not None and not (count > 1 and 1 <= self.occurrence <= count):
            raise Stale(f"{self.file} has the text {count} times; occurrence {self.occurrence} is wrong")
        before = self.find.join(text.split(self.find)[: self.occurrence or 1])
        return before + self.replace + text[len(before) + len(self.find) :]


class Stale(Exception):
    """The catalogue no longer fits the tree."""


class Verdict(StrEnum):
    KILLED = "killed"
    TIMED_OUT = "timed out"  # killed as well: the tests are many times faster without the mutant
    SURVIVED = "survived"
    BROKEN = "broken"  # the mutated file cannot be imported or its SQL cannot be parsed: this shows nothing
    STALE = "stale"  # the text or a test is gone, or a test fails without any mutant


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one mutant."""

    mutant: Mutant
    verdict: Verdict
    why: str = ""
    took_s: float = 0.0

    def facts(self) -> dict[str, Any]:
        """For programs."""
        return {"verdict": self.verdict, "why": self.why, "took_s": round(self.took_s, 2)} | asdict(
            self.mutant
        )


def exit_code(results: Sequence[Result]) -> int:
    """2 where the catalogue is wrong, 1 where a mutant survived, otherwise 0."""
    verdicts = {result.verdict for result in results}
    if verdicts & {Verdict.BROKEN, Verdict.STALE}:
        return 2
    return 1 if Verdict.SURVIVED in verdicts else 0
