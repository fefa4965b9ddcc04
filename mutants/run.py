"""Runs mutants side by side, each on a scratch copy, after their tests have passed without any."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import closing, contextmanager
from pathlib import Path
from queue import SimpleQueue

from chaos.scratch import scratch
from chaos.stopping import Stopped
from mutants.load import problem_of
from mutants.model import Mutant, Result, Verdict
from mutants.run_tests import Ran, Runner
from mutants.scratch import applied, copy_tree

BASELINE_LIMIT_S = 1800.0
LEAST_LIMIT_S = 60.0
FAR_SLOWER = 10  # a mutant is killed by time when its tests take this many times what they take without it


def run(
    mutants: Sequence[Mutant], root: Path, jobs: int, tell: Callable[[Result], None]
) -> tuple[list[Result], Stopped | None]:
    """What became of each mutant that was reached, and who ended the run before its time."""
    results: list[Result] = []

    def note(result: Result) -> None:
        results.append(result)
        tell(result)

    fitting = []
    for mutant in mutants:
        if problem := problem_of(mutant, root):
            note(Result(mutant, Verdict.STALE, problem))
        else:
            fitting.append(mutant)
    try:
        if fitting:
            with _runners(root, min(jobs, len(fitting))) as runners:
                baseline = _baseline(fitting, runners[0], len(runners))
                with closing(_side_by_side(fitting, baseline, runners)) as tried:
                    for result in tried:
                        note(result)
    except Stopped as stopped:
        return results, stopped
    return results, None


@contextmanager
def _runners(root: Path, count: int) -> Iterator[list[Runner]]:
    """So many copies of the tree. Whatever ends the run, no pytest goes on without it."""
    with scratch() as folder:
        runners: list[Runner] = []
        try:
            for number in range(count):
                copy_tree(root, tree := folder / f"tree{number}")
                runners.append(Runner(tree))
            yield runners
        finally:
            for runner in runners:
                runner.stop()


def _baseline(mutants: Sequence[Mutant], runner: Runner, jobs: int) -> Ran:
    """All named tests once, without any mutant."""
    tests = sorted({test for mutant in mutants for test in mutant.tests})
    side_by_side = ("-n", str(jobs)) if jobs > 1 else ()
    return runner.run(tests, BASELINE_LIMIT_S, *side_by_side)


def _side_by_side(mutants: Sequence[Mutant], baseline: Ran, runners: Sequence[Runner]) -> Iterator[Result]:
    free: SimpleQueue[Runner] = SimpleQueue()
    for runner in runners:
        free.put(runner)

    def try_one(mutant: Mutant) -> Result:
        runner = free.get()
        try:
            return _try(mutant, baseline, runner)
        finally:
            free.put(runner)

    with ThreadPoolExecutor(len(runners)) as pool:
        try:
            for done in as_completed([pool.submit(try_one, mutant) for mutant in mutants]):
                yield done.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for runner in runners:
                runner.stop()
            raise


def _try(mutant: Mutant, baseline: Ran, runner: Runner) -> Result:
    for test in mutant.tests:
        if (outcome := baseline.outcomes.get(test, "did not run")) != "passed":
            said = baseline.said.strip().splitlines()[-1:] if outcome == "did not run" else []
            return Result(mutant, Verdict.STALE, f"without the mutant: {test} {outcome}. {' '.join(said)}")
    began = time.monotonic()
    with applied(mutant, runner.tree):
        ran = runner.run(mutant.tests, limit_s(mutant.tests, baseline.took_s), "-x", module=mutant.module)
    return Result(mutant, *_verdict(ran), time.monotonic() - began)


def limit_s(tests: Sequence[str], usual_s: Mapping[str, float]) -> float:
    """How long the tests of a mutant may take, given what each takes without it."""
    return LEAST_LIMIT_S + FAR_SLOWER * sum(usual_s.get(test, 0.0) for test in tests)


def _verdict(ran: Ran) -> tuple[Verdict, str]:
    if ran.timed_out:
        return Verdict.TIMED_OUT, ""
    if ran.broken:
        return Verdict.BROKEN, ran.broken
    match ran.exit_code:
        case 0:
            return Verdict.SURVIVED, ""
        case 1:
            return Verdict.KILLED, ran.failure
    return Verdict.BROKEN, "; ".join(ran.said.strip().splitlines()[-3:])[:500]
