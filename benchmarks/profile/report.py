"""Where the CPU time of a page goes, step by step: in a worker by samples of it, in PostgreSQL by connection.

The sampler slows a worker down. So every round is two crawls: one that is only measured, for the
microseconds, and one that is sampled, for the shares.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass

from benchmarks.crawl import HOSTS, PAGES_PER_HOST, Speed, check_complete, measure, watch
from benchmarks.crawlers import Outrider
from benchmarks.place import scratch
from benchmarks.profile.connections import CONNECTIONS, OTHERS, OutriderByConnection
from benchmarks.profile.sampler import Sampler, Samples, check
from benchmarks.profile.steps import Step, step_of
from benchmarks.report import Report
from benchmarks.site import Site

COMMAND = "the command, which watches over the worker"


@dataclass(frozen=True, slots=True)
class Cost:
    """Microseconds a page of one step; `share` is of the worker's time, None for what it does not do."""

    step: str
    share: float | None
    us: float


def report(rounds: int, say: Callable[[str], None]) -> Report:
    check()
    speeds, samples = run(rounds, say)
    leanest = min(speeds, key=lambda speed: speed.all_ms)
    met = steps_of(sum((each.stacks for each in samples), Counter()))
    costs = costs_of(met, leanest.cpu_ms)
    return Report(
        name="profile",
        title=f"Where a page's CPU goes: one worker, {HOSTS * PAGES_PER_HOST:,} pages",
        columns=("", "of the worker's time", "µs a page"),
        rows=[_row(each) for each in costs],
        remarks=[_remark(leanest, met.total(), samples)],
        figures=[asdict(each) for each in costs],
    )


def run(rounds: int, say: Callable[[str], None]) -> tuple[list[Speed], list[Samples]]:
    speeds, samples = [], []
    with scratch() as folder:
        site = Site.render(folder, hosts=HOSTS, pages_per_host=PAGES_PER_HOST)
        for nth in range(1, rounds + 1):
            speeds.append(measure(OutriderByConnection(), site))
            say(f"round {nth}, measured: {speeds[-1].all_ms:.2f} ms")
            samples.append(sample(site))
            say(f"round {nth}, sampled: {samples[-1].stacks.total():,} times")
    return speeds, samples


def sample(site: Site) -> Samples:
    """One whole crawl, its worker looked into between the margins."""
    with scratch() as folder, closing(Sampler(site.total, folder / "stacks")) as sampler:
        with site.serve(folder / "web") as web:
            watch(Outrider(1), web, folder, sampler.look)
        check_complete(web.log(), site.total)
    if not sampler.samples:
        raise RuntimeError("the crawl was too fast to be sampled")
    return sampler.samples


def steps_of(stacks: Counter[str]) -> Counter[Step]:
    """How often the worker was met at each step."""
    met: Counter[Step] = Counter()
    for stack, times in stacks.items():
        if step := step_of(stack):
            met[step] += times
    return met


def costs_of(met: Counter[Step], cpu_ms: Mapping[str, float]) -> list[Cost]:
    """The worker's CPU dealt out by samples, then who else has worked for the page, then all together."""
    shares = {step: met[step] / met.total() for step in Step}
    costs = [Cost(step.value, share, share * cpu_ms["workers"] * 1000) for step, share in shares.items()]
    costs += [Cost(part, None, cpu_ms[part] * 1000) for part in (*CONNECTIONS.values(), OTHERS)]
    costs.append(Cost(COMMAND, None, cpu_ms["command"] * 1000))
    return [*costs, Cost("all", None, sum(each.us for each in costs))]


def _row(cost: Cost) -> tuple[str, ...]:
    return cost.step, "" if cost.share is None else f"{cost.share * 100:.0f} %", f"{cost.us:.0f}"


def _remark(leanest: Speed, met: int, samples: Sequence[Samples]) -> str:
    ran_s, waited_s = sum(each.ran_s for each in samples), sum(each.waited_s for each in samples)
    waited = f", which waited {waited_s / (ran_s + waited_s) * 100:.1f} % of its time for a processor"
    return (
        f"The shares are from {met:,} samples of a worker{waited if ran_s else ''}; "
        f"the microseconds from a crawl without a sampler, at {leanest.pages_per_s:,.0f} pages/s."
    )
