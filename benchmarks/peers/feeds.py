"""Other feed parsers, on the documents that benchmarks/feeds.py sends."""

import json
import sys

import fastfeedparser
import feedparser
from benchmarks.timing import best_us


def main() -> None:
    documents = json.load(sys.stdin)
    answer = {
        name: {
            "feedparser": best_us(lambda body=body: feedparser.parse(body.encode())) / 1000,
            "fastfeedparser": best_us(lambda body=body: fastfeedparser.parse(body)) / 1000,
        }
        for name, body in documents.items()
    }
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
