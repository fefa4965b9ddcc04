"""How well and how fast main text is found, beside trafilatura and resiliparse.

On the pages in benchmarks/pages, or on a checkout of article-extraction-benchmark or of WCXB. Two scores: F1
of four-word shingles (of the mean precision and recall, as the former has it) and F1 of words (the mean over
the pages, as the latter has it). Milliseconds of CPU include parsing.
"""

import gzip
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any

from benchmarks.bench_environment import ask
from benchmarks.report import Report
from benchmarks.scoring import of_articles, score
from selectolax.lexbor import LexborHTMLParser

from outrider.extract.text.main_text import main_text

PAGES = Path(__file__).parent / "pages"


@dataclass(frozen=True, slots=True)
class Case:
    kind: str
    url: str
    html: str
    truth: str


def report(corpus: Path = PAGES) -> Report:
    cases = list(_cases(corpus))
    if not cases:
        raise SystemExit(f"benchmarks: no pages in {corpus}; see --corpus in docs/performance.md")
    found = {"Outrider": _ours(cases)} | ask("texts", [case.html for case in cases])
    kinds = sorted({case.kind for case in cases})
    figures = [_figures(name, each, cases, kinds) for name, each in found.items()]
    return Report(
        name="extract",
        title=f"Main text of {len(cases)} pages: F1, and ms of CPU a page",
        columns=("", "ms", "F1 of shingles", "F1 of words", *kinds),
        rows=[
            (
                each["library"],
                f"{each['ms']:.2f}",
                f"{each['shingles']:.3f}",
                f"{each['words']:.3f}",
                *(f"{each['by_kind'][kind]:.2f}" for kind in kinds),
            )
            for each in figures
        ],
        figures=figures,
    )


def _ours(cases: Sequence[Case]) -> dict[str, Any]:
    main_text(LexborHTMLParser(cases[0].html), cases[0].url)
    started = time.process_time()
    texts = [main_text(LexborHTMLParser(case.html), case.url) for case in cases]
    return {"texts": texts, "ms": (time.process_time() - started) / len(cases) * 1000}


def _figures(
    library: str, found: dict[str, Any], cases: Sequence[Case], kinds: Sequence[str]
) -> dict[str, Any]:
    scores = [score(case.truth, text) for case, text in zip(cases, found["texts"], strict=True)]
    return {
        "library": library,
        "ms": found["ms"],
        **of_articles(scores),
        "by_kind": {
            kind: mean(each.words for case, each in zip(cases, scores, strict=True) if case.kind == kind)
            for kind in kinds
        },
    }


def _cases(folder: Path) -> Iterator[Case]:
    if (truths := folder / "ground-truth.json").exists():
        for name, page in json.loads(truths.read_text()).items():
            html = _read(folder / "html" / f"{name}.html.gz")
            yield Case("article", page.get("url", ""), html, page.get("articleBody", ""))
    elif (folder / "dev" / "ground-truth").exists():
        for file in sorted((folder / "dev" / "ground-truth").glob("*.json")):
            page = json.loads(file.read_text())
            kind = (page.get("_internal") or {}).get("page_type") or {}
            kind = kind.get("primary", "article") if isinstance(kind, dict) else kind
            html = _read(folder / "dev" / "html" / f"{file.stem}.html.gz")
            yield Case(kind, page.get("url", ""), html, page["ground_truth"].get("main_content") or "")
    else:
        for file in sorted(folder.glob("*.html")):
            html = file.read_text()
            yield Case(file.stem.partition("-")[0], "", html, _marked(html))


def _read(file: Path) -> str:
    return gzip.decompress(file.read_bytes()).decode("utf-8", "replace")


def _marked(html: str) -> str:
    """The truth of a page of ours: what carries `data-main`, less what carries `data-aside`."""
    tree = LexborHTMLParser(html)
    for node in tree.css("[data-aside]"):
        node.decompose()
    return "\n".join(node.text(separator=" ") for node in tree.css("[data-main]"))
