"""Reads access logs: page views and 404s by path and day, for sites without a middleware. Bounded, pure.

Lines are in the common or combined format, or JSON objects. A hostile file can waste its own time only: long
lines are skipped, and the numbers of lines and paths are limited.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Any

from outrider.redirects.bots import BotFilter
from outrider.redirects.monitor import Miss

LONGEST_LINE = 64_000  # bytes
MOST_LINES = 100_000_000
MOST_PATHS = 200_000  # of each kind
LONGEST_PATH = 2_000

_TEXT = rb'"((?:[^"\\]|\\.)*)"'
_LINE = re.compile(
    rb"^\S+ \S+ .{1,200}? \[([^\]]{1,60})\] " + _TEXT + rb" (\d{3}) \S+(?: " + _TEXT + rb" " + _TEXT + rb")?"
)
_ASSET = re.compile(
    r"\.(?:css|js|mjs|map|png|jpe?g|gif|svg|webp|avif|ico|woff2?|ttf|mp4|webm|mp3|pdf|zip|xml|txt|json)$",
    re.I,
)
_TIMES = ("time", "timestamp", "@timestamp", "time_iso8601", "time_local", "ts")
_PATHS = ("path", "uri", "request_uri", "url")


@dataclass(frozen=True, slots=True)
class LoggedVisit:
    """One request of a log."""

    day: date
    method: str
    path: str
    status: int
    agent: bytes = b""
    referrer: str = ""


@dataclass(slots=True)
class LogSummary:
    """What a log has: views by path and day, and paths that answer 404 at its end."""

    views: Counter[tuple[str, date]] = field(default_factory=Counter)
    misses: dict[str, Miss] = field(default_factory=dict)
    lines: int = 0
    unreadable: int = 0
    dropped: int = 0  # requests of paths beyond the limit

    def add(self, visit: LoggedVisit, bots: BotFilter) -> None:
        """Count one request. A page that is seen after its 404 is not missed any more."""
        if visit.method != "GET" or len(visit.path) > LONGEST_PATH:
            return
        if visit.status in (200, 304):
            if _ASSET.search(visit.path) or bots.is_bot(visit.agent):
                return
            self.misses.pop(visit.path, None)
            key = (visit.path, visit.day)
            if key in self.views or len(self.views) < MOST_PATHS:
                self.views[key] += 1
            else:
                self.dropped += 1
        elif visit.status == 404:
            known = self.misses.get(visit.path)
            if known is None and len(self.misses) >= MOST_PATHS:
                self.dropped += 1
                return
            count = 1 if known is None else known.count + 1
            self.misses[visit.path] = Miss(
                visit.path, count, visit.referrer or (known and known.referrer) or None
            )


def read_log(lines: Iterable[bytes], bot_words: tuple[str, ...] = ()) -> LogSummary:
    """Read a log to its end, or to the limit of lines."""
    found, bots = LogSummary(), BotFilter(bot_words)
    for line in lines:
        if found.lines >= MOST_LINES:
            break
        found.lines += 1
        visit = None if len(line) > LONGEST_LINE else read_line(line)
        if visit is None:
            found.unreadable += 1
        else:
            found.add(visit, bots)
    return found


def read_line(line: bytes) -> LoggedVisit | None:
    """The request of one line; None if it is no line of a known format."""
    if line.lstrip()[:1] == b"{":
        return _from_json(line)
    found = _LINE.match(line)
    if found is None:
        return None
    at, request, status, referrer, agent = found.groups()
    method, _, rest = request.decode("utf-8", "replace").partition(" ")
    day = _day(at.decode("latin-1"))
    if day is None or not rest.startswith("/"):
        return None
    path = rest.partition(" ")[0].partition("?")[0]
    return LoggedVisit(
        day, method, path, int(status), agent or b"", _referrer((referrer or b"").decode("latin-1"))
    )


def _from_json(line: bytes) -> LoggedVisit | None:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict):
        return None
    method, path = found.get("method") or found.get("request_method"), _first(found, _PATHS)
    if isinstance(request := found.get("request"), str) and " " in request:
        method, _, rest = request.partition(" ")
        path = rest.partition(" ")[0]
    status, day = str(found.get("status", "")), _day(_first(found, _TIMES))
    if not isinstance(path, str) or not path.startswith("/") or not re.fullmatch(r"\d{3}", status, re.ASCII):
        return None
    if day is None:
        return None
    agent = _first(found, ("user_agent", "http_user_agent", "agent"))
    referrer = _first(found, ("referer", "http_referer", "referrer"))
    return LoggedVisit(
        day,
        str(method or "GET"),
        path.partition("?")[0],
        int(status),
        agent.encode(errors="replace") if isinstance(agent, str) else b"",
        _referrer(referrer) if isinstance(referrer, str) else "",
    )


def _first(found: dict[str, Any], names: Iterable[str]) -> Any:
    return next((found[name] for name in names if name in found), None)


def _day(at: Any) -> date | None:
    """The day of a time, in UTC."""
    try:
        if isinstance(at, int | float) and not isinstance(at, bool):
            return datetime.fromtimestamp(at, UTC).date()
        if not isinstance(at, str) or len(at) > 60:
            return None
        if "/" in at:
            return datetime.strptime(at, "%d/%b/%Y:%H:%M:%S %z").astimezone(UTC).date()
        read = datetime.fromisoformat(at)
        return (read if read.tzinfo else read.replace(tzinfo=UTC)).astimezone(UTC).date()
    except (ValueError, OverflowError, OSError):
        return None


def _referrer(text: str) -> str:
    return text if text.startswith(("http://", "https://")) and len(text) <= 2_000 else ""
