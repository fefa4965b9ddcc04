"""Which rounds there are, and in which order they come."""

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import repeat
from pathlib import Path

from chaos import rounds
from chaos.faults import FAULTS
from chaos.jobs import of_jobs
from chaos.rounds import Row


@dataclass(frozen=True, slots=True)
class Round:
    """Something to go through, in a folder of its own and with a seed."""

    name: str
    play: Callable[[Path, int], Row]


# What every crawler must survive. A machine too slow for the whole plan has met these.
FIRST = (
    "kill a worker",
    "kill all workers",
    "kill the keeper",
    "kill PostgreSQL",
    "keep PostgreSQL down",
    "fill the disk",
    "cut the network",
    "set the clock ahead",
    "set the clock back",
)
DRIPPING = Round(f"{rounds.DRIPPING_HOSTS} dripping hosts", rounds.of_dripping_hosts)
SILENT = Round(f"{rounds.SILENT_HOSTS:,} silent hosts", rounds.of_silent_hosts)
FAILING = Round(f"{rounds.FAILING_HOSTS} failing hosts", rounds.of_failing_hosts)
WATCH = Round("a watch", rounds.of_a_watch)
JOBS = Round("1,000 jobs", of_jobs)
MIXTURE = Round("several, mixed", rounds.of_all_faults)

_WITH_ONE_FAULT = tuple(Round(name, partial(rounds.of_one_fault, fault)) for name, fault in FAULTS.items())
ROUNDS = (*_WITH_ONE_FAULT, DRIPPING, SILENT, FAILING, WATCH, JOBS, MIXTURE)


def planned(dice: random.Random, only: Sequence[str] = ()) -> tuple[Sequence[Round], Iterable[Round]]:
    """Every round once that this machine can have, the dice deciding the order; then mixtures without end.

    The longest begins, so that others are played beside it. Only those named, once, where some are.
    """
    if only:
        return [each for each in ROUNDS if each.name in only], ()
    possible = [each for each in _WITH_ONE_FAULT if not FAULTS[each.name].why_not()]
    first = [*(each for each in possible if each.name in FIRST), DRIPPING]
    then = [*(each for each in possible if each.name not in FIRST), FAILING, WATCH, JOBS]
    dice.shuffle(first)
    dice.shuffle(then)
    return [SILENT, *first, MIXTURE, *then], repeat(MIXTURE)
