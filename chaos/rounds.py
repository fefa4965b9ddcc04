"""Rounds under fire: one web, one run, some faults, and what became of the promises."""

import asyncio
import random
import subprocess
import sys
from bisect import bisect
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Self

from chaos.failing import FAILING, failing_site, failing_urls
from chaos.faults import FAULTS, Fault, Strike
from chaos.promises import judge
from chaos.slowness import SLOW, dripping_site, silent_port, silent_seeds
from chaos.stage import Stage, Start, crawl_of, staged
from tests.support.crawl import Run, Watch
from tests.support.site import Site
from tests.support.web import Hit, Web

HOSTS = 24
PAGES_PER_HOST = 25
MANY_PAGES_PER_HOST = 60  # or a crawl on a quiet machine is over before the last of several faults
FEW_LINKS = 3  # most pages are linked once: a link that is lost is a page that is lost, and all behind it
MANY_LINKS = 48  # every worker meets links to every host
DELAY_S = 0.15
LATENCY_S = 0.05
SLOW_S = 1.5  # some answers are still on their way long after who asked is dead
END_PATIENCE_S = 240.0
WORKERS = ("--workers", "2")
OPTIONS = (*WORKERS, "--delay", str(DELAY_S))
ONLY_PROCESSES = (
    "kill a worker",
    "kill all workers",
    "kill the command",
    "kill the keeper",
    "kill PostgreSQL",
    "kill a backend",
    "stop PostgreSQL",
)
SILENT_HOSTS = 10_000
DRIPPING_HOSTS = 40
FAILING_HOSTS = 20


@dataclass(frozen=True, slots=True)
class Scene:
    """A web, what works on it, and what is promised of both."""

    web: Web
    start: Start
    pages: Collection[str]  # are stored in the end
    unanswered: Collection[str] = ()  # wait in the queue still
    beside: Site | None = None  # a server that is asked as well


@dataclass(frozen=True, slots=True)
class Row:
    """What one round came to."""

    times: int
    requests: int
    pages: int
    lost: int
    double: int
    early: int
    pause_s: float  # the longest that a host was left alone once a fault was over
    notes: Sequence[str] = ()

    @property
    def is_clean(self) -> bool:
        return not (self.lost or self.double or self.early or self.notes)

    def __add__(self, other: Self) -> Self:
        return replace(
            self,
            times=self.times + other.times,
            requests=self.requests + other.requests,
            pages=self.pages + other.pages,
            lost=self.lost + other.lost,
            double=self.double + other.double,
            early=self.early + other.early,
            pause_s=max(self.pause_s, other.pause_s),
            notes=[*self.notes, *other.notes],
        )


def of_one_fault(fault: Fault, folder: Path, seed: int) -> Row:
    """The same fault again and again while a crawl goes on."""
    return _crawl([fault] * fault.times, folder, seed, FEW_LINKS, settings=fault.settings)


def of_all_faults(folder: Path, seed: int) -> Row:
    """Whatever the dice say, one after the other."""
    possible = [fault for fault in FAULTS.values() if not fault.why_not()]
    plan = random.Random(seed).sample(possible, min(6, len(possible)))
    return _crawl(plan, folder, seed, MANY_LINKS, pages_per_host=MANY_PAGES_PER_HOST)


def of_a_watch(folder: Path, seed: int) -> Row:
    """Feeds are polled and what they announce is fetched, while processes die."""
    plan = [FAULTS[name] for name in random.Random(seed).sample(ONLY_PROCESSES, 4)]
    with Web.start(folder / "web", hosts=HOSTS, pages_per_host=40, latency=LATENCY_S, feeds=True) as web:
        announced = [url for url in web.urls if not url.endswith("/")]
        return _under_fire(plan, Scene(web, _watch_of(web), announced), folder, seed)


def of_silent_hosts(folder: Path, seed: int) -> Row:
    """10,000 hosts time out at once; the others are crawled meanwhile."""
    with silent_port() as port, _small_web(folder) as web:
        silent = silent_seeds(port, SILENT_HOSTS)
        seeds = folder / "seeds"
        seeds.write_text("\n".join(silent))
        start = crawl_of(web, "--seeds", str(seeds), *OPTIONS, environment=SLOW)
        return _under_fire([], Scene(web, start, web.urls, silent), folder, seed)


def of_dripping_hosts(folder: Path, seed: int) -> Row:
    """Hosts that answer one byte a second, while a worker with such answers in hand is killed."""
    with dripping_site(folder / "dripping", DRIPPING_HOSTS) as site, _small_web(folder) as web:
        dripping = [f"{origin}/" for origin in site.origins]
        start = crawl_of(web, *dripping, *OPTIONS, environment=SLOW | FAILING)
        scene = Scene(web, start, web.urls, dripping, site)
        return _under_fire([FAULTS["kill a worker"]], scene, folder, seed)


def of_failing_hosts(folder: Path, seed: int) -> Row:
    """Pages that cannot be had for now, once each; none is given up for it."""
    with failing_site(folder / "failing", FAILING_HOSTS) as site, _small_web(folder) as web:
        seeds = [f"{origin}/" for origin in site.origins]
        start = crawl_of(web, *seeds, *OPTIONS, environment=FAILING)
        return _under_fire([], Scene(web, start, web.urls, failing_urls(site), site), folder, seed)


def _crawl(
    plan: Sequence[Fault],
    folder: Path,
    seed: int,
    links: int,
    *,
    pages_per_host: int = PAGES_PER_HOST,
    settings: Mapping[str, str] = MappingProxyType({}),
) -> Row:
    with Web.start(
        folder / "web",
        hosts=HOSTS,
        pages_per_host=pages_per_host,
        links=links,
        latency=LATENCY_S,
        slow=SLOW_S,
    ) as web:
        start = crawl_of(web, *OPTIONS, environment=settings)
        return _under_fire(plan, Scene(web, start, web.urls), folder, seed)


def _small_web(folder: Path) -> Web:
    return Web.start(folder / "web", hosts=HOSTS, pages_per_host=PAGES_PER_HOST, latency=LATENCY_S)


def _under_fire(plan: Sequence[Fault], scene: Scene, folder: Path, seed: int) -> Row:
    with staged(folder, scene.web, scene.start, seed) as stage:
        if plan:
            stage.wait_until_all_are_known()
        strikes = [_strike(fault, stage) for fault in plan]
        exit_code = _end_of(stage)
        verdict = asyncio.run(
            judge(
                stage,
                scene.pages,
                lambda address: DELAY_S,
                strikes=strikes,
                unanswered=scene.unanswered,
                beside=scene.beside.log() if scene.beside else (),
            )
        )
        output = stage.run.output()
    notes = [] if verdict.is_clean else [str(verdict)]
    if exit_code != 0:
        notes.append(f"exit code {exit_code}: {output[-500:]}")
    return Row(
        times=max(len(plan), 1),
        requests=verdict.requests,
        pages=verdict.pages,
        lost=len(verdict.lost),
        double=len(verdict.double),
        early=len(verdict.early),
        pause_s=longest_pause_s([strike.over_ms for strike in strikes], scene.web.log()),
        notes=notes,
    )


def _end_of(stage: Stage) -> int:
    """Its exit code."""
    try:
        return stage.run.wait(END_PATIENCE_S)
    except subprocess.TimeoutExpired:
        said = stage.run.output()[-500:]
        raise AssertionError(f"still at it {END_PATIENCE_S:.0f} s after the last fault: {said}") from None


def _strike(fault: Fault, stage: Stage) -> Strike:
    stage.wait_for_requests(stage.dice.randint(1, 4 * len(stage.web.addresses)))
    return fault.happen(stage)


def longest_pause_s(over: Sequence[float], hits: Sequence[Hit]) -> float:
    """How long at most a host was left alone once a fault was over, before it was asked again.

    What lies between two faults is theirs, not that of the first.
    """
    longest_ms, last = 0.0, dict[str, float]()
    for hit in sorted(hits, key=lambda hit: hit.started_ms):
        before = last.get(hit.address)
        last[hit.address] = hit.started_ms
        faults = bisect(over, hit.started_ms)
        if before is not None and faults and bisect(over, before) >= faults - 1:
            longest_ms = max(longest_ms, hit.started_ms - max(before, over[faults - 1]))
    return longest_ms / 1000


def _watch_of(web: Web) -> Callable[..., Run]:
    def start(data: Path, environment: dict[str, str]) -> Run:
        watch = Watch(data, *WORKERS, environment={**environment, "OUTRIDER_DELAY": str(DELAY_S)})
        sources = "".join(f"{origin},{origin}/,{origin}/feed.xml\n" for origin in web.origins)
        table = data.parent / "sources.csv"
        table.write_text(f"name,url,feed\n{sources}")
        subprocess.run(
            [sys.executable, "-m", "outrider", "source", "import", str(table)],
            env=watch.environment,
            capture_output=True,
            check=True,
            timeout=120,
        )
        return watch

    return start
