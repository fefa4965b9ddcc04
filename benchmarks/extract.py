"""How well and how fast main text is found, beside trafilatura and resiliparse where they are installed.

    python benchmarks/extract.py                  the pages in benchmarks/pages
    python benchmarks/extract.py CHECKOUT         a checkout of article-extraction-benchmark or of WCXB

Two scores: F1 of four-word shingles (of the mean precision and recall, as the former has it) and F1 of words
(the mean over the pages, as the latter has it). Milliseconds include parsing.
"""

import gzip
import json
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

from selectolax.lexbor import LexborHTMLParser

from outrider.extract.text import main_text

PAGES = Path(__file__).parent / "pages"
WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Case:
    name: str
    kind: str
    url: str
    html: str
    truth: str


@dataclass(frozen=True, slots=True)
class Score:
    precision: float
    recall: float
    words: float  # F1


def main() -> None:
    cases = list(_cases(Path(sys.argv[1]) if len(sys.argv) > 1 else PAGES))
    print(f"{len(cases)} pages")
    for name, extractor in _extractors().items():
        started = time.perf_counter()
        texts = [extractor(case) for case in cases]
        spent = time.perf_counter() - started
        scores = [_score(case.truth, text) for case, text in zip(cases, texts, strict=True)]
        print(f"{name:12} {_line(scores)}  {spent / len(cases) * 1e3:6.2f} ms a page")
        for kind in sorted({case.kind for case in cases}):
            chosen = [score for case, score in zip(cases, scores, strict=True) if case.kind == kind]
            print(f"    {kind:14} {len(chosen):5}  {_line(chosen)}")


def _cases(folder: Path) -> Iterator[Case]:
    if (truths := folder / "ground-truth.json").exists():
        for name, page in json.loads(truths.read_text()).items():
            html = _read(folder / "html" / f"{name}.html.gz")
            yield Case(name, "article", page.get("url", ""), html, page.get("articleBody", ""))
    elif (folder / "dev" / "ground-truth").exists():
        for file in sorted((folder / "dev" / "ground-truth").glob("*.json")):
            page = json.loads(file.read_text())
            kind = (page.get("_internal") or {}).get("page_type") or {}
            kind = kind.get("primary", "article") if isinstance(kind, dict) else kind
            html = _read(folder / "dev" / "html" / f"{file.stem}.html.gz")
            yield Case(
                file.stem, kind, page.get("url", ""), html, page["ground_truth"].get("main_content") or ""
            )
    else:
        for file in sorted(folder.glob("*.html")):
            html = file.read_text()
            yield Case(file.stem, file.stem.partition("-")[0], "", html, _marked(html))


def _read(file: Path) -> str:
    return gzip.decompress(file.read_bytes()).decode("utf-8", "replace")


def _marked(html: str) -> str:
    """The truth of a page of ours: what carries `data-main`, less what carries `data-aside`."""
    tree = LexborHTMLParser(html)
    for node in tree.css("[data-aside]"):
        node.decompose()
    return "\n".join(node.text(separator=" ") for node in tree.css("[data-main]"))


def _extractors() -> dict[str, Callable[[Case], str]]:
    found: dict[str, Callable[[Case], str]] = {
        "outrider": lambda case: main_text(LexborHTMLParser(case.html), case.url),
    }
    try:
        import trafilatura

        found["trafilatura"] = lambda case: trafilatura.extract(case.html, include_comments=False) or ""
    except ImportError:
        print("trafilatura is not installed")
    try:
        from resiliparse.extract.html2text import extract_plain_text

        found["resiliparse"] = lambda case: extract_plain_text(case.html, main_content=True, alt_texts=False)
    except ImportError:
        print("resiliparse is not installed")
    return found


def _score(truth: str, text: str) -> Score:
    true, said = _shingles(truth), _shingles(text)
    shared = (true & said).total()
    true_words, said_words = Counter(WORD.findall(truth.lower())), Counter(WORD.findall(text.lower()))
    both = true_words.total() + said_words.total()
    return Score(
        precision=shared / said.total() if said else 0.0,
        recall=shared / true.total() if true else 1.0,
        words=2 * (true_words & said_words).total() / both if both else 1.0,
    )


def _shingles(text: str) -> Counter[tuple[str, ...]]:
    words = WORD.findall(text)
    return Counter(tuple(words[i : i + 4]) for i in range(max(1, len(words) - 3)) if words)


def _line(scores: list[Score]) -> str:
    precision, recall = mean(s.precision for s in scores), mean(s.recall for s in scores)
    shingles = 2 * precision * recall / (precision + recall or 1)
    words = mean(s.words for s in scores)
    return f"shingles {shingles:.3f} (p {precision:.3f} r {recall:.3f})  words {words:.3f}"


if __name__ == "__main__":
    main()
