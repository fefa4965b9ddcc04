"""The start URLs of a crawl, from the command line or a file, normalised."""

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from outrider.errors import InvalidInput
from outrider.urls.typed import normalized

MOST_SEEDS = 100_000
_LARGEST_FILE = 64 << 20


@dataclass(frozen=True, slots=True)
class Seeds:
    """Normalised, each once, in the order given; `guessed` were written without a scheme."""

    urls: tuple[str, ...]
    guessed: tuple[str, ...] = ()


def seeds_of(written: Iterable[str]) -> Seeds:
    """Normalise the start URLs. Raises InvalidUrl for the first that is no web address."""
    urls: dict[str, None] = {}
    guessed = []
    for text in written:
        url, is_guess = normalized(text)
        urls[url] = None
        if is_guess:
            guessed.append(url)
        if len(urls) > MOST_SEEDS:
            raise InvalidInput(f"a crawl starts from at most {MOST_SEEDS:,} URLs")
    return Seeds(tuple(urls), tuple(guessed))


def read_seeds(file: Path) -> Iterator[str]:
    """One URL a line; empty lines and lines that begin with # are ignored. `-` is standard input."""
    try:
        if str(file) == "-":
            found = sys.stdin.buffer.read(_LARGEST_FILE + 1)
        else:
            with file.open("rb") as opened:
                found = opened.read(_LARGEST_FILE + 1)
    except OSError as error:
        raise InvalidInput(f"{file} cannot be read: {error.strerror}") from error
    if len(found) > _LARGEST_FILE:
        raise InvalidInput(
            f"{file} is larger than {_LARGEST_FILE >> 20} MB, too large for a list of start URLs"
        )
    try:
        text = found.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{file} is not a text file in UTF-8") from error
    lines = (line.strip() for line in text.splitlines())
    return (line for line in lines if line and not line.startswith("#"))
