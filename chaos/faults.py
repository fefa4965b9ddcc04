"""Every fault there is, by name: what strikes, how long it lasts, and what is done about it."""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

import psutil
from chaos import clock, disk
from chaos.stage import Stage

LONGER_THAN_A_LEASE_S = 9.0
SHORTER_THAN_A_LEASE_S = 0.8  # however little of it is left when a request ends
BUT_NO_POISON = 2  # times: a page in hand when its worker died is parked at the third
AGAIN_S = 0.1


def _nobody_helps(stage: Stage) -> None:
    """It has to come back by itself."""


def _nothing_against_it() -> str | None:
    return None


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that goes wrong."""

    name: str
    strike: Callable[[Stage], int]  # how many were hit; 0: nothing was there to hit
    repair: Callable[[Stage], None] = _nobody_helps
    meanwhile: Callable[[Stage], object] = _nobody_helps  # again and again, while it lasts
    lasts_s: float = 0.0
    times: int = 3  # in a round of its own
    settings: Mapping[str, str] = field(default_factory=dict)  # that a run needs to be open to it, there
    costs_leases: bool = False  # hosts may pass to others before their last answers are written
    stops_writing: bool = False  # nothing can be stored while it lasts, so nothing should be asked for
    why_not: Callable[[], str | None] = _nothing_against_it  # what keeps it from happening on this machine

    def happen(self, stage: Stage, *, lasts_s: float | None = None) -> "Strike":
        """Strike, endure, repair."""
        while not self.strike(stage):
            stage.wait_for_requests(1)
        began_ms = time.time() * 1000
        over_at = time.monotonic() + (self.lasts_s if lasts_s is None else lasts_s)
        while (left_s := over_at - time.monotonic()) > 0:
            self.meanwhile(stage)
            time.sleep(min(left_s, AGAIN_S))
        self.repair(stage)
        return Strike(self, began_ms, time.time() * 1000)


@dataclass(frozen=True, slots=True)
class Strike:
    """One time that a fault happened, in Unix milliseconds."""

    fault: Fault
    began_ms: float
    over_ms: float


def _freeze(processes: Sequence[psutil.Process]) -> int:
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            process.suspend()
    return len(processes)


def _thaw(processes: Sequence[psutil.Process]) -> None:
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            process.resume()


def _freeze_a_worker(stage: Stage) -> int:
    workers = stage.run.workers()
    return _freeze([stage.dice.choice(workers)] if workers else [])


def _stop_postgres(stage: Stage) -> int:
    return stage.run.stop_postgres()


def _lock_the_documents(stage: Stage) -> int:
    """As somebody's ALTER TABLE would: whoever writes pages waits, whoever gives hosts back does not."""

    async def hold() -> None:
        async with stage.run.database() as db, db.transaction():
            await db.execute("LOCK TABLE document IN SHARE ROW EXCLUSIVE MODE")
            await asyncio.sleep(SHORTER_THAN_A_LEASE_S)

    asyncio.run(hold())
    return 1


def _fill_the_disk(stage: Stage) -> int:
    assert stage.disk is not None
    stage.disk.fill()
    return 1


def _make_room(stage: Stage) -> None:
    assert stage.disk is not None
    stage.disk.clear()


def _cut_the_network(stage: Stage) -> int:
    stage.web.cut()
    return 1


def _silence_the_network(stage: Stage) -> int:
    stage.web.freeze()
    return 1


def _mend_the_network(stage: Stage) -> None:
    stage.web.mend()


def _set_clock(by_s: float) -> Callable[[Stage], int]:
    def strike(stage: Stage) -> int:
        assert stage.clock is not None
        stage.clock.jump(by_s)
        return 1

    return strike


_ALL = (
    Fault("kill a worker", lambda stage: stage.run.kill_a_worker(stage.dice), times=BUT_NO_POISON),
    Fault("kill all workers", lambda stage: stage.run.kill_all_workers(), times=BUT_NO_POISON),
    Fault(
        "freeze a worker",
        _freeze_a_worker,
        lambda stage: _thaw(stage.run.workers()),
        lasts_s=LONGER_THAN_A_LEASE_S,
        times=1,
        costs_leases=True,
    ),
    Fault("kill the command", lambda stage: stage.run.kill_supervisor(), lambda stage: stage.run.start()),
    Fault("kill the keeper", lambda stage: stage.run.kill_keeper(), times=1),
    Fault("kill PostgreSQL", lambda stage: stage.run.kill_postgres(), costs_leases=True),
    Fault("kill a backend", lambda stage: stage.run.kill_a_backend(stage.dice), costs_leases=True),
    Fault("stop PostgreSQL", _stop_postgres, costs_leases=True),
    Fault(
        "keep PostgreSQL down",
        _stop_postgres,
        meanwhile=_stop_postgres,
        lasts_s=30.0,
        times=1,
        costs_leases=True,
    ),
    Fault(
        "freeze PostgreSQL",
        lambda stage: _freeze(stage.run.server_processes()),
        lambda stage: _thaw(stage.run.server_processes()),
        lasts_s=30.0,
        times=1,
        costs_leases=True,
        stops_writing=True,
    ),
    # Hosts go back often, so that some do while their pages cannot be written.
    Fault("lock the documents", _lock_the_documents, times=5, settings={"OUTRIDER_TURN": "0.3"}),
    Fault(
        "fill the disk",
        _fill_the_disk,
        _make_room,
        lasts_s=LONGER_THAN_A_LEASE_S,
        times=2,
        costs_leases=True,
        stops_writing=True,
        why_not=disk.why_not,
    ),
    Fault("cut the network", _cut_the_network, _mend_the_network, lasts_s=5.0, times=2),
    Fault("silence the network", _silence_the_network, _mend_the_network, lasts_s=5.0, times=2),
    Fault("set the clock ahead", _set_clock(3600.0), why_not=clock.why_not),
    Fault("set the clock back", _set_clock(-5.0), times=2, why_not=clock.why_not),
)

FAULTS: Mapping[str, Fault] = {fault.name: fault for fault in _ALL}
