"""Judge from a server's own log whether a crawler was polite to it."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

# The crawler paces itself by the monotonic clock, servers log by the wall clock, and NTP may slew the
# latter by 0.05 %: half a millisecond in a second, and a log knows only whole ones. Rounding itself needs
# no allowance: both ends of a gap are rounded down, which cannot shorten a whole number of milliseconds.
TOLERANCE_MS = 1.0


class Visit(Protocol):
    """One request as the server saw it; times are Unix milliseconds by the server's clock."""

    @property
    def address(self) -> str: ...
    @property
    def path(self) -> str: ...
    @property
    def started_ms(self) -> float: ...
    @property
    def ended_ms(self) -> float: ...


@dataclass(frozen=True, slots=True)
class Violation:
    """Two requests to one host that were too close; a negative gap means that they overlapped."""

    address: str
    before: str
    after: str
    gap_ms: float
    delay_ms: float

    @property
    def overlaps(self) -> bool:
        return self.gap_ms < 0

    def __str__(self) -> str:
        what = "overlaps" if self.overlaps else "came too soon after"
        return (
            f"{self.address}: {self.after} {what} {self.before} ({self.gap_ms:.0f} of {self.delay_ms:.0f} ms)"
        )


def violations(
    visits: Iterable[Visit],
    delay_of: Callable[[str], float],
    tolerance_ms: float = TOLERANCE_MS,
) -> list[Violation]:
    """Requests that started before the host's delay, in seconds, had passed since its last answer ended."""
    by_address: dict[str, list[Visit]] = defaultdict(list)
    for visit in visits:
        by_address[visit.address].append(visit)

    found: list[Violation] = []
    for address, log in by_address.items():
        delay_ms = delay_of(address) * 1000
        log.sort(key=lambda visit: (visit.started_ms, visit.ended_ms))
        last = log[0]
        for visit in log[1:]:
            gap_ms = visit.started_ms - last.ended_ms
            if gap_ms < 0 or gap_ms < delay_ms - tolerance_ms:
                found.append(Violation(address, last.path, visit.path, gap_ms, delay_ms))
            # A long answer may outlast its successor: what counts is the latest end so far.
            last = visit if visit.ended_ms >= last.ended_ms else last
    return found
