"""JSON-LD: the facts a page states for machines, read as leniently as it is written."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from outrider.extract.wording import printable

MAX_SCRIPTS = 50
MAX_CHARS = 1_000_000
MAX_OBJECTS = 500
MAX_DEPTH = 64

# What CMS templates leave around and inside the JSON they print.
_WRAPPING = re.compile(r"^\s*(?:<!--|//\s*<!\[CDATA\[|/\*\s*<!\[CDATA\[\s*\*/|<!\[CDATA\[)|(?:-->|//\s*\]\]>|/\*\s*\]\]>\s*\*/|\]\]>)?[\s;]*$")
_TRAILING_COMMA = re.compile(r'("(?:[^"\\]|\\.)*+")|,(?=\s*[}\]])')

Thing = Mapping[str, Any]


def json_ld(scripts: Iterable[str]) -> list[Thing]:
    """Every object that stands for something, out of lists and `@graph`s, in order. What cannot be read is skipped."""
    things: list[Thing] = []
    for count, script in enumerate(scripts):
        if count == MAX_SCRIPTS:
            break
        for thing in _things(_lenient(script)):
            things.append(thing)
            if len(things) == MAX_OBJECTS:
                return things
    return things
