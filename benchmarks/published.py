"""Outrider and linkchecker on the cases that linkchecker publishes, each judged by what the cases say."""

import json
import os
import re
import subprocess
import sys
import tempfile
import textwrap
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

from benchmarks.bench_environment import ROOT
from benchmarks.linkchecker import run_linkchecker
from benchmarks.published_cases import PublishedCase, PublishedLink, obtain_files, read_cases, unpack
from benchmarks.published_server import serving
from benchmarks.report import Report

CACHE = ROOT / ".cache" / "published"
DELAY_S = 0.05
TIMEOUT_S = 10  # of one request
LONGEST_S = 300  # of one case
PAGE_WIDTH = 106
_WITH_STATUS = re.compile(r" \((?:status )?[0-9]{3}\)$")
AGREE, FALSE_ALARM, MISSED, UNDECIDED, NOT_READ = "agree", "false alarm", "missed", "undecided", "not read"


@dataclass(frozen=True, slots=True)
class Said:
    """What a program says of one address."""

    verdict: str  # ok, moved, dead, uncertain
    why: str


@dataclass(frozen=True, slots=True)
class Judged:
    case: str
    link: str
    is_broken: bool
    outcome: str
    why: str


Answers = Mapping[str, Said]  # by decoded address
Program = Callable[[PublishedCase, Path], Answers]


def report(say: Callable[[str], None]) -> Report:
    files = obtain_files(CACHE)
    rows, remarks, figures = [], [], []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        unpack(files, folder)
        folder.chmod(0o777)  # started by root, linkchecker becomes `nobody` and must read and write here
        with serving(folder) as port:
            cases, left_out = read_cases(files, folder, port)
            for program, run in (("Outrider", _outrider), ("linkchecker", _linkchecker)):
                say(f"{program} checks")
                judged: list[Judged] = []
                for what, part in _parts(cases).items():
                    found, seconds = _measured(part, run, folder)
                    counts = Counter(each.outcome for each in found)
                    rows.append(_row(program, what, part, counts, seconds))
                    figures.append({"program": program, "what": what, "seconds": seconds, **counts})
                    judged.extend(found)
                remarks.append(_disagreements(program, judged))
    elsewhere = f"{left_out} more pages lead to other hosts and are left out."
    return Report(
        name="published",
        title="The cases of linkchecker",
        columns=(
            "",
            "checks",
            "cases",
            "links",
            "agree",
            "false alarms",
            "missed",
            "undecided",
            "not read",
            "seconds",
        ),
        rows=rows,
        remarks=[elsewhere, *remarks],
        figures=figures,
    )


def _parts(cases: Sequence[PublishedCase]) -> Mapping[str, Sequence[PublishedCase]]:
    return {
        "the links of pages": [case for case in cases if not case.by_address],
        "addresses": [case for case in cases if case.by_address],
    }


def _row(
    program: str, what: str, cases: Sequence[PublishedCase], counts: Counter[str], seconds: float
) -> list[str]:
    outcomes = (AGREE, FALSE_ALARM, MISSED, UNDECIDED, NOT_READ)
    links = str(sum(len(case.links) for case in cases))
    return [
        program,
        what,
        str(len(cases)),
        links,
        *(str(counts[each]) for each in outcomes),
        f"{seconds:.0f}",
    ]


def _measured(cases: Sequence[PublishedCase], run: Program, folder: Path) -> tuple[Sequence[Judged], float]:
    judged: list[Judged] = []
    started = time.monotonic()
    for case in cases:
        judged.extend(judge(case, run(case, folder)))
    return judged, time.monotonic() - started


def judge(case: PublishedCase, answers: Answers) -> Sequence[Judged]:
    """Each link of the case, and each alarm about an address that the case does not list."""
    listed = {link.address: link for link in case.links}
    judged = [_judged(case, link, answers.get(link.address)) for link in case.links]
    return judged + [
        Judged(case.name, address, False, FALSE_ALARM, said.why)
        for address, said in answers.items()
        if said.verdict == "dead" and address not in listed
    ]


def _judged(case: PublishedCase, link: PublishedLink, said: Said | None) -> Judged:
    match said.verdict if said else None:
        case None:
            outcome = MISSED if link.is_broken else NOT_READ
        case "uncertain":
            outcome = UNDECIDED
        case "dead":
            outcome = AGREE if link.is_broken else FALSE_ALARM
        case _:
            outcome = MISSED if link.is_broken else AGREE
    return Judged(case.name, link.spelled, link.is_broken, outcome, said.why if said else "")


def _disagreements(program: str, judged: Sequence[Judged]) -> str:
    """A list by outcome and reason: people want to know which, and why."""
    groups: dict[tuple[str, str], list[str]] = {}
    for each in judged:
        if each.outcome != AGREE:
            why = _WITH_STATUS.sub("", each.why) or ("it gave no verdict" if each.is_broken else "")
            groups.setdefault((each.outcome, why), []).append(_named(each))
    lines = [
        _wrapped(f"- {outcome}{f', because {why}' if why else ''}: {', '.join(links)}")
        for (outcome, why), links in sorted(groups.items())
    ]
    if not lines:
        return f"{program} agrees with every case."
    return "\n".join([f"Where {program} does not say what the case expects:", "", *lines])


def _wrapped(item: str) -> str:
    return textwrap.fill(
        item, PAGE_WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )


def _named(judged: Judged) -> str:
    _, is_status, status = judged.link.rpartition("/status/")
    if is_status:
        return status
    link = urlsplit(judged.link).path if "localhost:" in judged.link else judged.link
    return f"`{link}` of {judged.case}"


def _outrider(case: PublishedCase, folder: Path) -> Answers:
    command = [sys.executable, "-m", "outrider", "check", "--json", "--timeout", str(TIMEOUT_S)]
    ran = subprocess.run(
        [*command, "--data", str(folder / "none"), *_what(case)],
        input="\n".join(link.address for link in case.links),
        env={
            **os.environ,
            "OUTRIDER_ALLOW_PRIVATE": "127.0.0.0/8,::1/128",
            "OUTRIDER_DELAY": f"{DELAY_S * 1000:.0f}ms",
        },
        stdout=subprocess.PIPE,
        text=True,
        check=False,
        timeout=LONGEST_S,
    )
    answers: dict[str, Said] = {}
    for line in ran.stdout.splitlines():
        found = json.loads(line)
        for place in found["found_in"] or [{"file": case.page}]:
            address = _absolute(found["url"], place["file"])
            answers[unquote(address)] = Said(found["verdict"], found["why"])
    return answers


def _absolute(link: str, file: str) -> str:
    """Links between files are told as their file spells them."""
    return link if "://" in link else urljoin(file if "://" in file else f"file://{file}", link)


def _what(case: PublishedCase) -> Sequence[str]:
    if case.by_address:
        return ["-"]
    if case.page.startswith("http"):
        return ["--site", case.page, "--max-pages", "1"]
    if case.depth == 1:
        return [case.page]
    linked = {link.address.removeprefix("file://").partition("#")[0] for link in case.links}
    return sorted({case.page, *linked})


def _linkchecker(case: PublishedCase, folder: Path) -> Answers:
    config = (
        f"[checking]\ntimeout={TIMEOUT_S}\nmaxrequestspersecond={1 / DELAY_S:g}\n"
        f"recursionlevel={0 if case.by_address else case.depth}\n[AnchorCheck]\n"
    )
    pages = [link.address for link in case.links] if case.by_address else [case.page]
    answers: dict[str, Said] = {}
    for row in run_linkchecker(config, pages, folder, longest_s=LONGEST_S):
        is_dead = row["valid"] != "True" or "Anchor" in row["warningstring"]
        said = Said("dead" if is_dead else "ok", row["result"])
        answers[unquote(row["urlname"] if case.by_address else row["url"] or row["urlname"])] = said
    return answers
