"""Figures from several snapshots: the page rate of the last minute and the CPU share of each worker."""

from collections import deque

from outrider.cli.crawl.waiting import waiting_for
from outrider.workers.snapshot import Snapshot

MINUTE = 60
HOLD_S = 2.0  # a reason is shown at least this long, so that it can be read


class SnapshotHistory:
    """Keeps the figures of the last minute; `add` takes every snapshot."""

    def __init__(self) -> None:
        self.rates: deque[float] = deque(maxlen=MINUTE)  # pages a second, one value for each second
        self.cpu: dict[int, float] = {}  # worker → share of one core
        self.waiting: str | None = None
        self._waiting_at = 0.0
        self._second: tuple[float, int] | None = None
        self._beats: dict[int, tuple[float, float]] = {}

    def add(self, snapshot: Snapshot) -> None:
        """Add one snapshot."""
        self._note_rate(snapshot)
        self._note_cpu(snapshot)
        reason = waiting_for(snapshot)
        if reason is not None:
            self.waiting, self._waiting_at = reason, snapshot.at
        elif snapshot.at - self._waiting_at > HOLD_S:
            self.waiting = None

    def _note_rate(self, snapshot: Snapshot) -> None:
        if self._second is None:
            self._second = (snapshot.at, snapshot.pages)
        since, pages = self._second
        if snapshot.at - since >= 1:
            self.rates.append((snapshot.pages - pages) / (snapshot.at - since))
            self._second = (snapshot.at, snapshot.pages)

    def _note_cpu(self, snapshot: Snapshot) -> None:
        alive = {worker.worker_id for worker in snapshot.workers}
        self.cpu = {worker_id: share for worker_id, share in self.cpu.items() if worker_id in alive}
        for worker in snapshot.workers:
            if "cpu_s" not in worker.stats:  # the worker has just started
                continue
            beat, used = worker.beat_at.timestamp(), float(worker.stats["cpu_s"])
            last_beat, last_used = self._beats.get(worker.worker_id, (0.0, 0.0))
            if beat <= last_beat:
                continue
            if last_beat:
                self.cpu[worker.worker_id] = max(used - last_used, 0.0) / (beat - last_beat)
            self._beats[worker.worker_id] = (beat, used)
