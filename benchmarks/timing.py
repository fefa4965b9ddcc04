"""CPU time of small things. Imported in both environments, so nothing but the standard library."""

import time
from collections.abc import Callable, Iterable

ROUND_S = 0.1
ROUNDS = 7


def best_us(run: Callable[[], object], *, units: int = 1) -> float:
    """CPU microseconds a unit in the best of several rounds, after one run to warm up."""
    run()
    best = float("inf")
    for _ in range(ROUNDS):
        runs, started = 0, time.process_time()
        while (spent := time.process_time() - started) < ROUND_S:
            run()
            runs += 1
        best = min(best, spent / runs)
    return best / units * 1e6


def first_us(act: Callable[[str], object], arguments: Iterable[str]) -> float:
    """CPU microseconds each for things never seen before, so that no cache helps."""
    fresh = list(arguments)
    act(fresh.pop())  # whatever is loaded at the first call
    started = time.process_time()
    for each in fresh:
        act(each)
    return (time.process_time() - started) / len(fresh) * 1e6
