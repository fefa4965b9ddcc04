"""The report of a simulation: the same numbers for the same plan, to the last digit. Pure."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import Any

from outrider import __version__
from outrider.settings import Settings
from outrider.simulate.difficult_sites import Mirrors, SilentSites, Traps, mirrors, silent_sites, traps
from outrider.simulate.effective_settings import non_default_settings
from outrider.simulate.figures import share
from outrider.simulate.job_figures import SimulatedJobFigures, job_figures
from outrider.simulate.knowledge import Coverage, Freshness, copies_of, coverage, freshness
from outrider.simulate.plan import SimulationPlan
from outrider.simulate.politeness_check import Permit, PolitenessRule, PolitenessSettings, violations
from outrider.simulate.run import SimulationRun
from outrider.simulate.sites import START
from outrider.simulate.waste import AnswerClass, classify

EXAMPLES = 5


@dataclass(frozen=True, slots=True)
class Politeness:
    requests: int
    hosts: int  # with at least one request
    violations: int
    by_rule: Mapping[str, int]
    by_permit: Mapping[str, int]  # violations that a setting allowed, by its name; the others are bugs
    examples: Sequence[str]


@dataclass(frozen=True, slots=True)
class RequestShares:
    """The targets and the yield of the requests."""

    requests: int
    requests_a_day: float
    busiest_host: str
    busiest_a_day: float  # requests to that host
    wire_bytes: int
    by_kind: Mapping[str, int]
    brought: Mapping[str, int]
    wasted_share: float


@dataclass(frozen=True, slots=True)
class KindFigures:
    """The figures of one kind of site."""

    sites: int
    requests: int
    requests_a_site: float
    wasted_share: float


@dataclass(frozen=True, slots=True)
class Report:
    plan: Mapping[str, Any]
    politeness: Politeness
    freshness: Freshness
    new_articles: Coverage
    old_articles: Coverage
    budget: RequestShares
    kinds: Mapping[str, KindFigures]
    traps: Traps
    mirrors: Mirrors
    dead: SilentSites
    jobs: SimulatedJobFigures | None  # None: simulated without jobs

    def as_data(self) -> dict[str, Any]:
        return asdict(self)


def report_of(simulated: SimulationRun, settings: Settings) -> Report:
    sites, log, findings = simulated.sites, simulated.log, simulated.findings
    until_s = simulated.plan.lasts_s
    copies = copies_of(log)
    return Report(
        plan=_plan(simulated.plan, settings),
        politeness=_politeness(simulated, settings),
        freshness=freshness(sites, findings, copies, until_s),
        new_articles=coverage(sites, findings, copies, until_s, is_new=True),
        old_articles=coverage(sites, findings, copies, until_s, is_new=False),
        budget=_budget(simulated),
        kinds=_kinds(simulated),
        traps=traps(sites, log, findings),
        mirrors=mirrors(sites, copies, findings),
        dead=silent_sites(sites, log, until_s),
        jobs=None if simulated.jobs is None else job_figures(simulated.jobs, timedelta(seconds=until_s)),
    )


def _plan(plan: SimulationPlan, settings: Settings) -> dict[str, Any]:
    return {
        "hosts": plan.hosts,
        "days": plan.days,
        "seed": plan.seed,
        "version": __version__,
        "workers": plan.workers,
        "from": START.isoformat(),
        "delay_s": settings.hosts.delay_ms / 1000,
        "mode": plan.policy.mode.value,
        "poll_s": plan.policy.poll_s,
        "sitemap_poll_s": plan.policy.sitemap_poll_s,
        "revisit_s": plan.policy.revisit_s,
        "jobs": plan.has_jobs,
        "mix": {kind.value: part for kind, part in plan.mix.items() if part},
        "settings": non_default_settings(settings),
    }


def _politeness(simulated: SimulationRun, settings: Settings) -> Politeness:
    found = violations(simulated.log, simulated.sites, PolitenessSettings.under(settings))
    counts = Counter(each.rule for each in found)
    permits = Counter(each.permit for each in found)
    return Politeness(
        requests=len(simulated.log),
        hosts=len({request.host for request in simulated.log}),
        violations=len(found),
        by_rule={rule.value: counts[rule] for rule in PolitenessRule},
        by_permit={permit.value: permits[permit] for permit in Permit},
        examples=[
            f"{each.host}{each.path} after {each.at_s:.3f} s: {each.rule} ({each.early_s:.3f} s early)"
            for each in found[:EXAMPLES]
        ],
    )


def _budget(simulated: SimulationRun) -> RequestShares:
    kinds = Counter(request.asked.value for request in simulated.log)
    brought = Counter(what for _, what in classify(simulated.log))
    days = max(simulated.plan.days, 1)  # the first hour is not extrapolated to a day
    [(busiest, most)] = Counter(request.host for request in simulated.log).most_common(1) or [("", 0)]
    return RequestShares(
        requests=len(simulated.log),
        requests_a_day=round(len(simulated.log) / days, 1),
        busiest_host=busiest,
        busiest_a_day=round(most / days, 1),
        wire_bytes=sum(request.wire_bytes for request in simulated.log),
        by_kind=dict(sorted(kinds.items(), key=lambda pair: (-pair[1], pair[0]))),
        brought={what.value: brought[what] for what in AnswerClass},
        wasted_share=share(len(simulated.log) - brought[AnswerClass.NEWS], len(simulated.log)),
    )


def _kinds(simulated: SimulationRun) -> dict[str, KindFigures]:
    kind_of = {site.host: site.kind for site in simulated.sites}
    sites = Counter(kind_of.values())
    requests: Counter[str] = Counter()
    wasted: Counter[str] = Counter()
    for request, what in classify(simulated.log):
        kind = kind_of[request.host]
        requests[kind] += 1
        wasted[kind] += what is not AnswerClass.NEWS
    return {
        kind.value: KindFigures(
            sites[kind],
            requests[kind],
            round(requests[kind] / sites[kind], 1),
            share(wasted[kind], requests[kind]),
        )
        for kind in sorted(sites, key=lambda kind: (-requests[kind], kind))
    }
