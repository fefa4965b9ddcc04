"""Requests that a worker began although it must have known that their answers could not be written.

A worker learns from its own failed write that nothing can be written, and stops one second later. So requests
can begin long after the disk is full. A PostgreSQL that starts again can have room for a claim, which is a
small write. A worker that has nothing to write then leases hosts, up to all of them, and makes requests until
the write of its first answers fails. Every delay is kept, and the answers are written when there is room.

From the first answer that it cannot write, a worker has some time to notice, and the same time again after
each write that succeeds. Afterwards it may begin no request until there is room, not even to a single host.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from chaos.faults import Strike
from tests.support.site import Asked
from tests.support.web import Hit

NOTICED_MS = 3_000.0  # an answer waits a quarter of a second for its write, which fails for a second; doubled
SAME_REQUEST_MS = 1_500.0  # between the ends of a request by the clocks of the web and the database

Answered = Hit | Asked
Place = tuple[str, str]  # address and path


@dataclass(frozen=True, slots=True)
class Recorded:
    """One line of the history of requests, in Unix milliseconds by the clock of the web."""

    worker_id: int | None
    ended_ms: float
    written_ms: float  # when the last transaction began that wrote the page


def in_vain(
    hits: Sequence[Answered], strikes: Sequence[Strike], history: Mapping[Place, Sequence[Recorded]]
) -> list[Answered]:
    """Requests begun while nothing could be written, by workers that must have noticed it.

    Requests without a line in the history are judged as those of one more worker.
    """
    found: list[Answered] = []
    writes = _writes(history)
    for strike in strikes:
        if strike.fault.stops_writing:
            for worker_id, unwritten in _unwritten(hits, strike, history).items():
                first_ms = min(hit.ended_ms for hit in unwritten)
                for hit in unwritten:
                    before = [at_ms for at_ms in writes.get(worker_id, ()) if at_ms < hit.started_ms]
                    if hit.started_ms > max([first_ms, *before]) + NOTICED_MS:
                        found.append(hit)
    return found


def _unwritten(
    hits: Sequence[Answered], strike: Strike, history: Mapping[Place, Sequence[Recorded]]
) -> Mapping[int | None, Sequence[Answered]]:
    """The requests during a fault whose answers were not written before it was over, by worker."""
    found: dict[int | None, list[Answered]] = defaultdict(list)
    for hit in hits:
        if strike.began_ms < hit.ended_ms and hit.started_ms < strike.over_ms:
            recorded = _recorded(hit, history)
            if recorded is None or recorded.written_ms > strike.over_ms:
                found[recorded.worker_id if recorded else None].append(hit)
    return found


def _writes(history: Mapping[Place, Sequence[Recorded]]) -> Mapping[int | None, Collection[float]]:
    """When each worker wrote."""
    found: dict[int | None, set[float]] = defaultdict(set)
    for line in chain.from_iterable(history.values()):
        found[line.worker_id].add(line.written_ms)
    return found


def _recorded(hit: Answered, history: Mapping[Place, Sequence[Recorded]]) -> Recorded | None:
    """The line of this request, if it was written."""
    lines = history.get((hit.address, hit.path), ())
    near = [line for line in lines if abs(line.ended_ms - hit.ended_ms) < SAME_REQUEST_MS]
    return min(near, key=lambda line: abs(line.ended_ms - hit.ended_ms), default=None)
