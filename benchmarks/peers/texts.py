"""Other extractors of main text, on the pages that benchmarks/extract.py sends."""

import json
import sys
import time
from collections.abc import Callable

import trafilatura
from resiliparse.extract.html2text import extract_plain_text

EXTRACTORS: dict[str, Callable[[str], str]] = {
    "trafilatura": lambda html: trafilatura.extract(html, include_comments=False) or "",
    "resiliparse": lambda html: extract_plain_text(html, main_content=True, alt_texts=False),
}


def main() -> None:
    pages = json.load(sys.stdin)
    answer = {}
    for library, extract in EXTRACTORS.items():
        extract(pages[0])  # whatever is loaded at the first call
        started = time.process_time()
        texts = [extract(html) for html in pages]
        answer[library] = {"texts": texts, "ms": (time.process_time() - started) / len(pages) * 1000}
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
