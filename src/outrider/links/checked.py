"""The result of checking a link, with its evidence and the places where it stands."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from outrider.links.evidence import Judgement, LinkProbe, Verdict
from outrider.links.files.model import FilePlace


@dataclass(frozen=True, slots=True)
class CheckedLink:
    """A link, its verdict and its evidence. A link between files keeps the spelling of the file."""

    url: str
    judgement: Judgement
    checked_at: datetime
    probes: tuple[LinkProbe, ...] = ()
    places: tuple[FilePlace, ...] = ()  # files with lines, or pages
    looked_at: str | None = None  # the file of a link between files
    is_cached: bool = False

    @property
    def verdict(self) -> Verdict:
        return self.judgement.verdict

    @property
    def why(self) -> str:
        """The reason as a sentence."""
        judgement = self.judgement
        if judgement.moved_to:
            return f"{judgement.reason.sentence}: {judgement.moved_to}"
        if judgement.status and str(judgement.status) not in judgement.reason.sentence:
            return f"{judgement.reason.sentence} (status {judgement.status})"
        return judgement.reason.sentence

    def json_form(self) -> dict[str, Any]:
        """Scripts depend on these names."""
        judgement = self.judgement
        evidence: list[Any] = [probe.json_form() for probe in self.probes]
        if self.looked_at is not None:
            evidence = [{"purpose": "file", "file": self.looked_at, "asked_at": self.checked_at}]
        return {
            "url": self.url,
            "verdict": judgement.verdict,
            "status": judgement.status,
            "reason": judgement.reason,
            "moved_to": judgement.moved_to,
            "why": self.why,
            "evidence": evidence,
            "found_in": [{"file": place.file, "line": place.line or None} for place in self.places],
            "checked_at": self.checked_at,
            "cached": self.is_cached,
        }


@dataclass(frozen=True, slots=True)
class CheckSummary:
    """All links of a check, and how many have each verdict."""

    links: tuple[CheckedLink, ...]
    seconds: float
    pages: int = 0  # pages or files whose links were read

    @property
    def counts(self) -> dict[Verdict, int]:
        return count_verdicts(self.links)

    @property
    def has_dead(self) -> bool:
        return any(link.verdict is Verdict.DEAD for link in self.links)


def count_verdicts(links: Iterable[CheckedLink]) -> dict[Verdict, int]:
    """How many links have each verdict; every verdict has a count."""
    counts = Counter(link.verdict for link in links)
    return {verdict: counts[verdict] for verdict in Verdict}
