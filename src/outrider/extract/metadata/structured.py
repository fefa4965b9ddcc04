"""JSON-LD: the facts a page states for machines, read as leniently as they are written."""

import html
import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from outrider.extract.metadata.wording import printable

MAX_SCRIPTS = 50
MAX_CHARS = 1_000_000  # over all scripts of a page
MAX_THINGS = 500
MAX_DEPTH = 32

Thing = Mapping[str, Any]

# What templates leave around and inside the JSON they print.
_OPENING = re.compile(r"\s*+(?:<!--|//\s*+<!\[CDATA\[|/\*\s*+<!\[CDATA\[\s*+\*/|<!\[CDATA\[)")
_STRING_OR_SURPLUS_COMMA = re.compile(r'("(?:[^"\\]|\\.?)*+"?)|,(?=\s*+[}\]])', re.DOTALL)
_BETWEEN = re.compile(r"[\s;,]*+")
_DECODER = json.JSONDecoder(strict=False, parse_constant=lambda _: None)


def json_ld(scripts: Iterable[str], wanted: Callable[[Thing], bool] = lambda _: True) -> list[Thing]:
    """Every wanted object stated, out of lists and `@graph`s, in order. What cannot be read is skipped.

    `wanted` gets an object as it was written: filtering first costs less than cleaning every object.
    """
    things: list[Thing] = []
    left = MAX_CHARS
    for script, _ in zip(scripts, range(MAX_SCRIPTS), strict=False):
        read, left = script[:left], max(left - len(script), 0)
        for value in _values(read):
            for thing in islice(filter(wanted, _things(value, MAX_DEPTH)), MAX_THINGS - len(things)):
                things.append(_clean(thing, MAX_DEPTH))
    return things


def types_of(thing: Thing) -> frozenset[str]:
    """`{"NewsArticle"}` for a type however it was given: alone, in a list, as a URL."""
    declared = thing.get("@type")
    names = declared if isinstance(declared, list) else [declared]
    return frozenset(name.rsplit("/", 1)[-1] for name in names if isinstance(name, str))


def with_main_entities(things: Iterable[Thing]) -> Iterator[Thing]:
    """Each thing, and after it what it is mainly about: the article of a page, the question of a thread."""
    for thing in things:
        yield thing
        if isinstance(entity := thing.get("mainEntity"), dict):
            yield entity


def as_text(value: Any, separator: str = ", ") -> str:
    """One string for what one page writes as a string, another as an object and a third as a list of both."""
    match value:
        case str():
            return html.unescape(value).strip()  # escaped as for HTML more often than not
        case bool():
            return str(value).lower()
        case int() | float():
            return str(value)
        case list():
            return separator.join(filter(None, map(as_text, value)))
        case dict():
            named = (value.get(key) for key in ("name", "headline", "@value", "url", "@id"))
            return next(filter(None, map(as_text, named)), "")
    return ""


def _values(script: str) -> Iterator[Any]:
    """The JSON values in a script: one as a rule, now and then several in a row."""
    if opening := _OPENING.match(script):
        script = script[opening.end() :]
    if '"' not in script and "&quot;" in script:
        script = html.unescape(script)
    at = _end_of(_BETWEEN, script, 0)
    repaired = False
    while at < len(script):
        try:
            value, at = _DECODER.raw_decode(script, at)
        except (ValueError, RecursionError):
            if repaired:
                return
            script, at, repaired = _STRING_OR_SURPLUS_COMMA.sub(r"\1", script[at:]), 0, True
            continue
        yield value
        at = _end_of(_BETWEEN, script, at)


def _end_of(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at


def _clean(value: Any, depth: int) -> Any:
    """`value` fit to be stored: no control characters, no half surrogates, nothing nested without end."""
    if isinstance(value, str):
        return printable(value)
    if depth == 0:
        return None
    if isinstance(value, dict):
        return {printable(key): _clean(item, depth - 1) for key, item in value.items()}
    if isinstance(value, list):
        return [_clean(item, depth - 1) for item in value]
    # `1e999` is JSON, and a number that no JSON can spell again.
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _things(value: Any, depth: int) -> Iterator[Thing]:
    if depth == 0:
        return
    if isinstance(value, list):
        for item in value:
            yield from _things(item, depth - 1)
    elif isinstance(value, dict):
        graph = value.get("@graph")
        if graph is None or "@type" in value:
            yield value
        yield from _things(graph, depth - 1)
