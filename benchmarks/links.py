"""How often a link is called dead that is not, and how many dead links are found, by the truth.

The web is that of tests/support/link_web.py: hosts on loopback that answer honestly, refuse HEAD, show one
page for every address, flap, stall, and block programs. The log of the server says whether each host kept
its delay.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchmarks.linkchecker import run_linkchecker
from benchmarks.report import Report
from tests.support.link_web import LinkWeb, Served, TrueLink, Truth
from tests.support.politeness import violations

DELAY_S = 0.05
TIMEOUT_S = 10  # as by default
HOSTS_AT_ONCE = 100
THREADS = 100  # of linkchecker
HOSTS, LINKS_PER_HOST = 2_000, 5
FEW_HOSTS = 150  # for the comparison: linkchecker needs minutes for more
VERDICTS = ("ok", "moved", "dead", "uncertain")
LONGEST_S = 3_600


@dataclass(frozen=True, slots=True)
class Checked:
    """One run of a link checker."""

    program: str
    verdicts: Mapping[str, str]  # by address
    seconds: float
    requests: int
    too_soon: int  # requests that came before the delay of their host was over


def report(hosts: int | None = None) -> Report:
    """Outrider alone on many hosts."""
    with (
        tempfile.TemporaryDirectory() as folder,
        LinkWeb(hosts or HOSTS, LINKS_PER_HOST, Path(folder)) as web,
    ):
        links = web.links
        found = _measured("Outrider", web, lambda: _outrider(links, Path(folder)))
    groups: dict[tuple[str, str], Counter[str]] = {}
    for link in links:
        counts = groups.setdefault((link.habit, link.truth), Counter())
        counts[found.verdicts.get(link.url, "none")] += 1
    return Report(
        name="links",
        title=f"{len(links):,} links on {web.hosts:,} hosts",
        columns=("the host", "in truth", "links", *VERDICTS),
        rows=[
            (habit, truth, f"{counts.total():,}", *(f"{counts[each] or ''}" for each in VERDICTS))
            for (habit, truth), counts in sorted(groups.items())
        ],
        remarks=_remarks(links, found),
        figures=[_figures(links, found)],
    )


def comparison(say: Callable[[str], None]) -> Report:
    """Outrider and linkchecker in turn, each with a web of its own."""
    runs: list[tuple[Sequence[TrueLink], Checked]] = []
    for program, run in (("Outrider", _outrider), ("linkchecker", _linkchecker)):
        say(f"{program} checks")
        with (
            tempfile.TemporaryDirectory() as folder,
            LinkWeb(FEW_HOSTS, LINKS_PER_HOST, Path(folder)) as web,
        ):
            links = web.links
            ask = partial(run, links, Path(folder))
            runs.append((links, _measured(program, web, ask)))
    figures = [_figures(links, found) for links, found in runs]
    return Report(
        name="checkers",
        title=f"{figures[0]['links']:,} links on {FEW_HOSTS} hosts, {DELAY_S * 1000:.0f} ms between requests",
        columns=(
            "",
            "dead links found",
            "false alarms",
            "alarms that nothing proves",
            "gone behind a 200, noticed",
            "requests",
            "too soon",
            "seconds",
        ),
        rows=[
            (
                each["program"],
                f"{each['true_dead']} of {each['dead']}",
                str(each["false_dead"]),
                str(each["unproven"]),
                f"{each['hidden_noticed']} of {each['hidden']}",
                f"{each['requests']:,}",
                str(each["too_soon"]),
                f"{each['seconds']:.0f}",
            )
            for each in figures
        ],
        remarks=[f"Timeout of one request: {TIMEOUT_S} s."],
        figures=figures,
    )


def _measured(program: str, web: LinkWeb, run: Callable[[], Mapping[str, str]]) -> Checked:
    started = time.monotonic()
    verdicts = run()
    seconds = time.monotonic() - started
    log = web.log()
    return Checked(program, verdicts, seconds, len(log), len(_too_soon(log)))


def _too_soon(log: Sequence[Served]) -> Sequence[object]:
    """The end of a request that got no answer is not known to the server."""
    return violations([served for served in log if served.status], lambda _: DELAY_S)


def _figures(links: Sequence[TrueLink], found: Checked) -> dict[str, object]:
    called_dead = [link for link in links if found.verdicts.get(link.url) == "dead"]
    dead = [link for link in links if link.truth is Truth.DEAD]
    hidden = [link for link in links if link.truth is Truth.HIDDEN_DEAD]
    unproven = [link for link in called_dead if link.truth is Truth.UNKNOWABLE]
    false = [link for link in called_dead if link.truth in (Truth.ALIVE, Truth.MOVED)]
    true = [link for link in called_dead if link.truth is Truth.DEAD]
    judged = len(true) + len(false) + len(unproven)
    return {
        "program": found.program,
        "links": len(links),
        "dead": len(dead),
        "true_dead": len(true),
        "false_dead": len(false),
        "unproven": len(unproven),
        "precision": len(true) / judged if judged else 1.0,
        "recall": len(true) / len(dead) if dead else 1.0,
        "hidden": len(hidden),
        "hidden_noticed": sum(found.verdicts.get(link.url) in ("dead", "uncertain") for link in hidden),
        "requests": found.requests,
        "too_soon": found.too_soon,
        "seconds": found.seconds,
    }


def _remarks(links: Sequence[TrueLink], found: Checked) -> list[str]:
    figures = _figures(links, found)
    return [
        f"Precision of `dead`: {figures['precision']:.3f}. Recall of `dead`: {figures['recall']:.3f} of the "
        f"{figures['dead']:,} links whose server proves it. False `dead`: {figures['false_dead']}. "
        f"Gone behind a 200 and not called ok: {figures['hidden_noticed']} of {figures['hidden']}.",
        f"{found.requests:,} requests in {found.seconds:.0f} s; by its log {found.too_soon} of them came "
        f"before the {DELAY_S * 1000:.0f} ms of their host were over.",
    ]


def _outrider(links: Sequence[TrueLink], folder: Path) -> Mapping[str, str]:
    settings = {
        "OUTRIDER_ALLOW_PRIVATE": "127.0.0.0/8",
        "OUTRIDER_DELAY": f"{DELAY_S * 1000:.0f}ms",
        "OUTRIDER_LINK_HOSTS": str(HOSTS_AT_ONCE),
    }
    command = [sys.executable, "-m", "outrider", "check", "-", "--json", "--timeout", str(TIMEOUT_S)]
    ran = subprocess.run(
        [*command, "--data", str(folder / "none")],
        input="\n".join(link.url for link in links),
        env={**os.environ, **settings},
        stdout=subprocess.PIPE,
        text=True,
        check=False,
        timeout=LONGEST_S,
    )
    found = [json.loads(line) for line in ran.stdout.splitlines()]
    return {each["url"]: each["verdict"] for each in found}


def _linkchecker(links: Sequence[TrueLink], folder: Path) -> Mapping[str, str]:
    page = folder / "links.html"
    folder.chmod(0o777)  # started by root, linkchecker becomes `nobody` and must read and write here
    anchors = "\n".join(f'<a href="{link.url}">x</a>' for link in links)
    page.write_text(f"<!doctype html><title>links</title>{anchors}")
    config = (
        f"[checking]\nthreads={THREADS}\ntimeout={TIMEOUT_S}\nmaxrequestspersecond={1 / DELAY_S:g}\n"
        "recursionlevel=1\n[filtering]\ncheckextern=1\n"
    )
    rows = run_linkchecker(config, [str(page)], folder, longest_s=LONGEST_S)
    return {row["urlname"]: _verdict_of(row) for row in rows}


def _verdict_of(row: Mapping[str, str]) -> str:
    if row["valid"] != "True":
        return "dead"
    return "moved" if "redirected" in row["warningstring"].lower() else "ok"
