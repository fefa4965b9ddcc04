"""The results of earlier runs in a file, so that a run asks only for what is not known."""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from outrider.errors import InvalidInput
from outrider.links.checked import CheckedLink
from outrider.links.evidence import Judgement, PastCheck, Verdict
from outrider.links.reason import LinkReason
from outrider.links.verdict import LAST_CHECKS

VERSION = 1
LARGEST = 256 * 1024 * 1024
MOST_LINKS = 500_000
KEPT_FOR = timedelta(days=30)  # an entry that no run used for this long is dropped
_REUSED = frozenset({Verdict.OK, Verdict.MOVED})  # a repaired link must be seen at once


@dataclass(frozen=True, slots=True)
class _Entry:
    at: datetime
    judgement: Judgement
    checks: tuple[PastCheck, ...]


class LinkCache:
    """Earlier verdicts by address. Good ones are reused; failures are what the next run compares with."""

    def __init__(self, path: Path, age: timedelta) -> None:
        self._path = path
        self._age = age
        self._entries: dict[str, _Entry] = {}

    def load(self) -> None:
        """Read the file if it exists; raises InvalidInput for a file that is no cache."""
        try:
            if self._path.stat().st_size > LARGEST:
                raise InvalidInput(f"{self._path} is too large for a cache of links: remove it")
            raw = json.loads(self._path.read_text(encoding="utf-8"))
            if raw["version"] != VERSION:
                return
            self._entries = {url: _entry(each) for url, each in raw["links"].items()}
        except FileNotFoundError:
            return
        except OSError as error:
            raise InvalidInput(f"{self._path} cannot be read: {error.strerror or error}") from error
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            message = f"{self._path} is no cache of links: remove it or name another file"
            raise InvalidInput(message) from error

    def known(self, url: str, now: datetime) -> CheckedLink | None:
        """The verdict of an earlier run, if it is good and young enough."""
        entry = self._entries.get(url)
        if entry is None or entry.judgement.verdict not in _REUSED or now - entry.at > self._age:
            return None
        return CheckedLink(url, entry.judgement, entry.at, is_cached=True)

    def earlier(self, url: str) -> Sequence[PastCheck]:
        """The earlier checks of an address, the last one last."""
        entry = self._entries.get(url)
        return entry.checks if entry else ()

    def remember(self, link: CheckedLink) -> None:
        """Keep the verdict of this run."""
        if link.is_cached:
            return
        check = PastCheck(link.checked_at, link.verdict, link.judgement.reason)
        checks = (*self.earlier(link.url), check)[-LAST_CHECKS:]
        self._entries[link.url] = _Entry(link.checked_at, replace(link.judgement), checks)

    def save(self, now: datetime) -> None:
        """Write the file in one step: a crash leaves the old one."""
        young = {url: entry for url, entry in self._entries.items() if now - entry.at <= KEPT_FOR}
        newest = sorted(young.items(), key=lambda item: item[1].at)[-MOST_LINKS:]
        document = {"version": VERSION, "links": {url: _raw(entry) for url, entry in newest}}
        partial = self._path.with_name(f"{self._path.name}.{os.getpid()}.part")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            partial.write_text(json.dumps(document), encoding="utf-8")
            partial.replace(self._path)
        except OSError as error:
            raise InvalidInput(f"{self._path} cannot be written: {error.strerror or error}") from error


def _entry(raw: Mapping[str, Any]) -> _Entry:
    judgement = Judgement(
        Verdict(raw["verdict"]), LinkReason(raw["reason"]), raw.get("status"), raw.get("moved_to")
    )
    checks = tuple(
        PastCheck(datetime.fromisoformat(at), Verdict(verdict), LinkReason(reason))
        for at, verdict, reason in raw["checks"]
    )
    return _Entry(datetime.fromisoformat(raw["at"]), judgement, checks)


def _raw(entry: _Entry) -> dict[str, Any]:
    judgement = entry.judgement
    return {
        "at": entry.at.isoformat(),
        "verdict": judgement.verdict,
        "reason": judgement.reason,
        "status": judgement.status,
        "moved_to": judgement.moved_to,
        "checks": [[check.at.isoformat(), check.verdict, check.reason] for check in entry.checks],
    }
