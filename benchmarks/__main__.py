"""Measure what the design promises, beside Scrapy, Crawlee and the libraries one would take instead.

    python -m benchmarks [NAME] [--rounds N] [--sizes 10k,1m,10m] [--json FILE] [--docs]

Tables are shown; figures as JSON, every round's too, and charts are left in .cache/bench, or where one says.
Every run has its own server and its own data, ends by itself and leaves nothing running. A shared machine
adds noise of 20 % and more: compare runs of the same hour, and CPU a page rather than pages/s.
"""

import argparse
import logging
import os
import re
import signal
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import structlog
from benchmarks import (
    api,
    extract,
    feeds,
    figures,
    frontier,
    jobs,
    links,
    machine,
    memory,
    middleware,
    pages,
    published,
    race,
    run_cost,
    stream_crawl,
    streams,
    urls,
)
from benchmarks.articles import report as articles
from benchmarks.bench_environment import ask
from benchmarks.profile import report as profile
from benchmarks.profile.sampler import CannotSample
from benchmarks.report import Report
from rich.console import Console
from scripts import performance_page

ALL = (
    "peers",
    "profile",
    "frontier",
    "memory",
    "urls",
    "extract",
    "feeds",
    "jobs",
    "streams",
    "stream-crawl",
    "middleware",
    "api",
    "pages",
)
DOCUMENTED = (*ALL, "articles", "real")  # these two ask for the registries of packages, so only on request
LINK_PAGE = performance_page.PAGE.parent / "guides" / "link-check.md"
MEASURE_VERDICTS = ("links", "checkers", "published")  # only on request
IN_GUIDES = dict.fromkeys(MEASURE_VERDICTS, LINK_PAGE)
CHARTED = {"peers", "frontier", "memory"}
WIDTH = 120  # where nobody says how wide it may be
RESULTS = Path(".cache/bench")
IMAGES = performance_page.PAGE.parent / "images"
SCALES = {"k": 1_000, "m": 1_000_000}
SIZES = re.compile(r"[1-9][0-9]{0,8}[km]?(,[1-9][0-9]{0,8}[km]?)*")


def main() -> None:
    asked = arguments().parse_args()
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # or every start of a crawler compiles it all again
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that every `with` still tidies up
    try:
        run(asked)
    except KeyboardInterrupt:
        sys.exit(130)


def run(asked: argparse.Namespace) -> None:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    console = Console(width=None if sys.stdout.isatty() else WIDTH)
    progress = Console(stderr=True, highlight=False, soft_wrap=True)
    benchmarks = choices(asked, progress.print)
    here = machine.describe(datetime.now(UTC))
    console.print(f"{here}, load {machine.load()}, {machine.pace()}\n", soft_wrap=True)
    asked.json.parent.mkdir(parents=True, exist_ok=True)
    results: dict[str, Sequence[dict[str, Any]]] = {}
    for name in ALL if asked.which == "all" else [asked.which]:
        started, load_before = datetime.now(UTC), machine.load()
        try:
            report = benchmarks[name]()
        except CannotSample as error:
            if asked.which == name:
                sys.exit(f"benchmarks: {error}")
            console.print(f"no {name}: {error}\n", soft_wrap=True)
            continue
        results[name] = report.figures
        show(report, console)
        figures.keep(asked.json, report, started, here)
        if asked.docs and name in DOCUMENTED:
            load = f"load {load_before} before and {machine.load()} after"
            measured = f"*Measured {here}, {load}, {machine.pace()}.*"
            performance_page.write(f"bench:{name}", f"{report.markdown()}\n{measured}\n")
        elif asked.docs and name in IN_GUIDES:
            performance_page.write(
                f"bench:{name}", f"{report.markdown()}\n*Measured {here}.*\n", IN_GUIDES[name]
            )
    if CHARTED & results.keys():
        folder = IMAGES if asked.docs else RESULTS
        folder.mkdir(parents=True, exist_ok=True)
        for chart in ask("charts", results, str(folder)):
            console.print(f"chart: {chart}", soft_wrap=True)
    console.print(f"figures: {asked.json}", soft_wrap=True)


def show(report: Report, console: Console) -> None:
    console.print(report.table())
    for remark in report.remarks:
        console.print(remark, soft_wrap=True)
    console.print()


def choices(asked: argparse.Namespace, say: Callable[[str], None]) -> dict[str, Callable[[], Report]]:
    return {
        "peers": lambda: race.report("peers", race.EVERYBODY, asked.rounds, say, asked.pages),
        "real": lambda: race.real_report(asked.rounds, say, asked.pages),
        "crawl": lambda: race.report("crawl", race.OURSELVES, asked.rounds, say, asked.pages),
        "profile": lambda: profile.report(asked.rounds, say),
        "frontier": lambda: frontier.report(asked.sizes),
        "memory": memory.report,
        "urls": urls.report,
        "extract": lambda: extract.report(asked.corpus),
        "feeds": feeds.report,
        "jobs": lambda: jobs.report(asked.against, asked.rounds, say),
        "middleware": lambda: middleware.report(asked.rounds),
        "runs": lambda: run_cost.report(asked.pairs, say),
        "streams": streams.report,
        "stream-crawl": lambda: stream_crawl.report(asked.rounds, say, asked.pages),
        "api": api.report,
        "pages": pages.report,
        "articles": articles.report,
        "links": lambda: links.report(asked.hosts),
        "checkers": lambda: links.comparison(say),
        "published": lambda: published.report(say),
    }


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="benchmarks", description="Measure what the design promises.")
    names = [*DOCUMENTED, *IN_GUIDES, "crawl", "runs", "all"]
    parser.add_argument(
        "which", nargs="?", choices=names, default="all", help="crawl is peers without the others"
    )
    parser.add_argument("--rounds", type=rounds, default=3, metavar="N", help="of the crawls; 3")
    parser.add_argument(
        "--pages", type=number, metavar="N", help="of the crawls, as in 50k; 10k, and 4k of real pages"
    )
    parser.add_argument("--pairs", type=rounds, metavar="N", help="of runs; 300")
    parser.add_argument(
        "--sizes", type=sizes, help="URLs in the frontier; of 10k,1m,10m those the disk has room for"
    )
    parser.add_argument(
        "--corpus", type=existing_folder, default=extract.PAGES, help="other pages for extract"
    )
    parser.add_argument("--hosts", type=rounds, metavar="N", help=f"of links; {links.HOSTS:,}")
    parser.add_argument(
        "--against",
        type=checkout,
        metavar="PATH",
        help="jobs: also compare the CPU of a page with this checkout, in --rounds pairs",
    )
    parser.add_argument(
        "--json",
        type=new_file,
        default=RESULTS / "figures.json",
        metavar="FILE",
        help=f"where the figures go; {RESULTS}/figures.json",
    )
    parser.add_argument("--docs", action="store_true", help="write tables and charts into docs/")
    return parser


def rounds(text: str) -> int:
    if not text.isdecimal() or (number := int(text)) < 1:
        raise argparse.ArgumentTypeError(f"rounds are a number from 1 up, not {text!r}")
    return number


def sizes(text: str) -> tuple[int, ...]:
    """`10k,1m` → (10000, 1000000)"""
    if not SIZES.fullmatch(text.lower()):
        raise argparse.ArgumentTypeError(f"sizes are numbers from 1 up, as in 500,10k,1m; not {text!r}")
    return tuple(int(each.rstrip("km")) * SCALES.get(each[-1], 1) for each in text.lower().split(","))


def number(text: str) -> int:
    """`50k` → 50000"""
    found = sizes(text)
    if len(found) > 1:
        raise argparse.ArgumentTypeError(f"one number, as in 50k; not {text!r}")
    return found[0]


def existing_folder(text: str) -> Path:
    if not (path := Path(text)).is_dir():
        raise argparse.ArgumentTypeError(f"{text} is no folder")
    return path


def checkout(text: str) -> Path:
    """Another checkout of this project that was set up."""
    path = existing_folder(text).resolve()
    if not (path / ".venv" / "bin" / "python").exists() or not (path / "benchmarks" / "race.py").exists():
        raise argparse.ArgumentTypeError(f"{text} is no checkout with a .venv: run `make setup` there")
    return path


def new_file(text: str) -> Path:
    """Checked now, not after an hour of measuring."""
    if not (path := Path(text)).parent.is_dir():
        raise argparse.ArgumentTypeError(f"{path.parent} is no folder")
    return path


if __name__ == "__main__":
    main()
