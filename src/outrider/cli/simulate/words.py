"""Parts of every simulation report: the policy, and whether it was polite."""

from collections.abc import Iterator, Mapping
from typing import Any

from outrider.durations import short
from outrider.simulate.mix import USUAL
from outrider.simulate.politeness_check import Permit
from outrider.simulate.report import Politeness
from outrider.wording import count, plural, span

_PERMITTED = {
    Permit.RETRY_AFTER_CAP: "before the end of Retry-After",
    Permit.RESPECT_ROBOTS: "against robots.txt",
}


def percent(part: float) -> str:
    return f"{part * 100:.1f} %"


def time(seconds: float) -> str:
    return span(seconds) if seconds else "0"


def days(plan: Mapping[str, Any]) -> str:
    return "1 day" if plan["days"] == 1 else f"{plan['days']:g} days"


def policy_facts(plan: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    """The policy; mix and settings only if they differ from the defaults."""
    revisit_s = plan["revisit_s"]
    again = "when a sitemap says so" if revisit_s is None else f"after {short(revisit_s)}"
    yield (
        "policy",
        f"feeds every {short(plan['poll_s'])} to begin with, sitemaps every {short(plan['sitemap_poll_s'])}, "
        f"a pause of {short(plan['delay_s'])}, mode {plan['mode']}, articles again {again}"
        + (", jobs" if plan["jobs"] else ""),
    )
    if plan["mix"] != {kind.value: part for kind, part in USUAL.items()}:
        yield "mix", ", ".join(f"{kind} {part:g}" for kind, part in plan["mix"].items())
    if plan["settings"]:
        yield "settings", ", ".join(f"{name}={value}" for name, value in plan["settings"].items())
    yield "by", f"Outrider {plan['version']}, {plural(plan['workers'], 'worker')}"


def verdict(politeness: Politeness) -> str:
    """Whether the simulation was polite, and the cause of violations."""
    if politeness.violations == 0:
        return (
            "Polite: no site was asked too early, twice at once, against its robots.txt, or before its "
            "Retry-After was over."
        )
    broken = ", ".join(f"{rule}: {count(times)}" for rule, times in politeness.by_rule.items() if times)
    lines = [f"{plural(politeness.violations, 'violation')} ({broken})"]
    for permit, what in _PERMITTED.items():
        if times := politeness.by_permit[permit]:
            lines.append(f"{plural(times, 'request')} {what}, as your {permit} allows")
    if unexplained := politeness.violations - sum(politeness.by_permit.values()):
        lines.append(f"{count(unexplained)} that no setting of yours allows: a bug, please report it")
    return "\n".join([*lines, *politeness.examples])
