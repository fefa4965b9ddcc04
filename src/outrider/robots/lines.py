"""Parses the lines of robots.txt as tolerantly as other crawlers do."""

import math
import re
from collections.abc import Iterator
from enum import StrEnum
from functools import lru_cache
from typing import Final

EVERYONE: Final = "*"

_MAX_AGENT: Final = 256
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_MAX_LINE: Final = 16_663  # where Google's parser stops reading a line: eight times the longest old URL


class RobotsField(StrEnum):
    """The fields of a line; lines with other fields are skipped."""

    USER_AGENT = "user_agent"
    DISALLOW = "disallow"
    ALLOW = "allow"
    SITEMAP = "sitemap"
    CRAWL_DELAY = "crawl_delay"


# With the misspellings that other crawlers accept. The colon may be missing when a single word
# follows: `Disallow /private`, or a name of two: `User-agent Download Ninja`.
_LINE: Final = re.compile(
    rb"""
    (?: (?P<user_agent> user[-\ ]?agent | useg-agent )
      | (?P<disallow> disallow | dissallow | dissalow | disalow | diasllow | disallaw | desallow )
      | (?P<allow> allow )
      | (?P<sitemap> site-?map )
      | (?P<crawl_delay> crawl[-\ ]?delay ) )
    (?: [^\s:]*+ \s*+ : \s* (?P<value> .* ) | \s++ (?P<word> \S++ (?(user_agent) (?:\s++\S++)? ) ) | )
    """,
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)
_TAG: Final = re.compile(rb"<[^<>\r\n]*>")
_NUMBER: Final = re.compile(rb"[0-9]+(?:\.[0-9]*)?|\.[0-9]+")
_SEPARATOR: Final = re.compile(r"[\s,]+")
_PRODUCT: Final = re.compile(r"[^\s/*,;()<>]+")
_PRODUCT_BY_THE_RFC: Final = re.compile(r"[A-Za-z_-]+")
_PRODUCT_IN_A_COMMENT: Final = re.compile(r"[(;]\s*compatible;\s*([^\s/*,;()<>]+)", re.IGNORECASE)
_COMMENT: Final = re.compile(r"\([^()]*\)?")


def fields(body: bytes) -> Iterator[tuple[int, RobotsField, bytes]]:
    """Number, field and value of every line with a known field."""
    for number, line in enumerate(_plain(body).splitlines(), start=1):
        found = _LINE.fullmatch(line[:_MAX_LINE].partition(b"#")[0].strip())
        if found is not None:
            field = next(field for field in RobotsField if found[field] is not None)
            yield number, field, found["value"] or found["word"] or b""


def _plain(body: bytes) -> bytes:
    """The body as UTF-8, without a (possibly truncated) byte order mark and without HTML tags."""
    if body.startswith((b"\xff\xfe", b"\xfe\xff")):
        body = body.decode("utf-16", "replace").encode("utf-8", "replace") if b"\0" in body else body[2:]
    body = body.removeprefix(b"\xef").removeprefix(b"\xbb").removeprefix(b"\xbf")
    return _TAG.sub(b"", body) if body.lstrip().startswith(b"<") else body


def names_in(value: bytes) -> list[str]:
    """The product tokens of a User-agent line: one by the RFC, several as some authors write it."""
    words = _SEPARATOR.split(readable(value).lower())
    if words[0] == EVERYONE:
        return [EVERYONE]
    return [name for word in words if (name := _first(_PRODUCT, word))]


@lru_cache(maxsize=64)
def names_of(agent: str) -> tuple[str, ...]:
    """The names that match a crawler, best first, given its product token or its whole User-Agent.

    `Hedwigbot-News2/1.0` also matches its letters alone (RFC 9309 allows no digits in a token), the family
    name `hedwigbot` (as Google matches its own crawlers), `hedwig`, any further product in its User-Agent,
    and `*`.
    """
    agent = agent[:_MAX_AGENT]
    commented = _PRODUCT_IN_A_COMMENT.search(agent)
    words = [commented[1]] if commented is not None else _COMMENT.sub(" ", agent).split()
    names = [name for word in words for name in _names_of_product(_first(_PRODUCT, word).lower())]
    return *filter(None, dict.fromkeys(names)), EVERYONE


def _names_of_product(product: str) -> list[str]:
    names = [product, _first(_PRODUCT_BY_THE_RFC, product)]
    while "-" in names[-1]:
        names.append(names[-1].rpartition("-")[0])
    return [*names, names[-1].removesuffix("bot")]


def _first(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.match(text)
    return found[0] if found is not None else ""


def seconds_in(value: bytes) -> float | None:
    """The number that a Crawl-delay starts with; None when there is none or it is not finite."""
    number = _NUMBER.match(value)
    seconds = float(number[0]) if number is not None else math.inf
    return seconds if math.isfinite(seconds) else None


def readable(value: bytes) -> str:
    """A value as text without control characters, for people and for names."""
    return _CONTROL.sub("\ufffd", value.decode("utf-8", "replace"))
