"""Other extractors of main text, on the pages that benchmarks/articles sends: real ones, so they may fail."""

import json
import logging
import sys
import time
from collections.abc import Callable

import lxml.html
import trafilatura
from benchmarks.peers.texts import EXTRACTORS
from readability import Document


def precise(html: str) -> str:
    return trafilatura.extract(html, include_comments=False, favor_precision=True) or ""


def readable(html: str) -> str:
    return " ".join(lxml.html.fromstring(Document(html).summary()).itertext())


ALL = {
    "trafilatura": EXTRACTORS["trafilatura"],
    "trafilatura, precise": precise,
    "readability-lxml": readable,
    "resiliparse": EXTRACTORS["resiliparse"],
}


def main() -> None:
    logging.disable()  # what they think of a page is no concern of ours
    pages = json.load(sys.stdin)
    print(json.dumps({library: measured(extract, pages) for library, extract in ALL.items()}))


def measured(extract: Callable[[str], str], pages: list[str]) -> dict[str, object]:
    attempt(extract, pages[0])  # whatever is loaded at the first call
    started = time.process_time()
    texts = [attempt(extract, html) for html in pages]
    return {"texts": texts, "ms": (time.process_time() - started) / len(pages) * 1000}


def attempt(extract: Callable[[str], str], html: str) -> str | None:
    """None where it gives up with an error."""
    try:
        return extract(html)
    except Exception:
        return None


if __name__ == "__main__":
    main()
