"""Readers of values. A ValueError says what is wrong, and what to write instead. Pure."""

import json
import re
import unicodedata
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, TypeVar

from outrider.durations import seconds_of, short
from outrider.errors import InvalidInput, InvalidUrl
from outrider.extract.recipe.selectors import Selectors
from outrider.extract.recipe.templates import template_named
from outrider.frontier.priority import parse_priority
from outrider.sources.domains import read_domain
from outrider.sources.patterns import Pattern
from outrider.urls import host_of, normalize, registrable_domain

Choice = TypeVar("Choice", bound=StrEnum)

LONGEST_NAME = 200
LONGEST_JSON = 64 << 10
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_BARE_HOST = re.compile(r"[^\s/:?#@\\]+(?::\d{1,5})?(?:[/?#]\S*)?")
_PARAMETER = re.compile(r"[A-Za-z0-9_.\-\[\]]{1,64}\*?")
_IDENTITY = re.compile(r"[^\s\x00-\x1f\x7f-\x9f]{1,200}")
_FLAGS = dict.fromkeys(("yes", "true", "1", "on", "y", "x", "active", "enabled"), True) | dict.fromkeys(
    ("no", "false", "0", "off", "n", "inactive", "disabled"), False
)


class OutOfBounds(ValueError):
    """A valid value that is out of bounds: no fallback replaces it."""


def name(text: str) -> str:
    """A name in one spelling: some programs write an accent as a character of its own (NFD)."""
    tidy = unicodedata.normalize("NFC", " ".join(_UNPRINTABLE.sub(" ", text).split()))
    if not tidy:
        raise ValueError("the name is empty: write a few words")
    if len(tidy) > LONGEST_NAME:
        raise ValueError(f"the name has {len(tidy)} characters: write at most {LONGEST_NAME}")
    return tidy


def address(text: str) -> str:
    """A web address; a bare host name means https."""
    try:
        return normalize(text.strip())
    except InvalidUrl as error:
        guess = _guess(text.strip())
        if guess is None:
            raise ValueError(
                f"{text[:80]!r} is no web address ({error.why}): write https://example.com"
            ) from error
        return guess


def domain(text: str) -> str:
    """`example.com`, or `*.example.com`."""
    try:
        return read_domain(text)
    except InvalidInput as error:
        raise ValueError(str(error)) from error


def choice(choices: type[Choice], **aliases: Choice) -> Callable[[str], Choice]:
    """Read one of the values of an enum, or an alias."""

    def read(text: str) -> Choice:
        word = text.strip().lower().replace("-", "_")
        try:
            return aliases[word] if word in aliases else choices(word)
        except ValueError:
            named = [each.value for each in choices]
            raise ValueError(
                f"{text[:40]!r} is none of them: write {', '.join(named[:-1])} or {named[-1]}"
            ) from None

    return read


def duration(least_s: float, most_s: float) -> Callable[[str], float]:
    """Seconds within bounds."""

    def read(text: str) -> float:
        seconds = seconds_of(text.replace(",", "."))  # some spreadsheets write a decimal comma
        if not least_s <= seconds <= most_s:
            raise OutOfBounds(f"{text[:40]!r} is out of bounds: write {short(least_s)} to {short(most_s)}")
        return seconds

    return read


def whole(least: int, most: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        digits = text.strip().removesuffix(".0")  # spreadsheets write a whole number as 5.0
        number = int(digits) if re.fullmatch(r"-?\d{1,9}", digits) else least - 1
        if not least <= number <= most:
            raise ValueError(f"{text[:40]!r} does not fit: write a whole number from {least} to {most}")
        return number

    return read


def priority(text: str) -> int:
    try:
        return parse_priority(text.strip().removesuffix(".0"))
    except InvalidInput as error:
        raise ValueError(str(error)) from error


def flag(text: str) -> bool:
    value = _FLAGS.get(text.strip().lower())
    if value is None:
        raise ValueError(f"{text[:40]!r} is neither: write yes or no")
    return value


def pattern(text: str) -> str:
    try:
        return Pattern.compile(text.strip()).text
    except InvalidInput as error:
        raise ValueError(f"{error}: write a regular expression such as /news/\\d+") from error


def parameter(text: str) -> str:
    if not _PARAMETER.fullmatch(text.strip()):
        raise ValueError(
            f"{text[:40]!r} is no query parameter: write a name such as fbclid, or utm_* for many"
        )
    return text.strip()


def template(text: str) -> str:
    try:
        return template_named(text).name
    except InvalidInput as error:
        raise ValueError(str(error)) from error


def identity_key(text: str) -> str:
    tidy = text.strip()
    if not _IDENTITY.fullmatch(tidy):
        raise ValueError(
            f"{text[:40]!r} is no key: write up to {LONGEST_NAME} letters, digits and marks without blanks"
        )
    return tidy


def selectors(text: str) -> Mapping[str, Any]:
    """A JSON object of groups of CSS selectors."""
    if len(text) > LONGEST_JSON:
        raise ValueError(f"it has {len(text)} characters: write at most {LONGEST_JSON}")
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError('it is no JSON: write an object such as {"article": {"title": "h1"}}') from error
    if not isinstance(found, dict):
        raise ValueError('it is no JSON object: write {"article": {"title": "h1"}}')
    try:
        return Selectors.from_json(found).to_json()
    except InvalidInput as error:
        raise ValueError(str(error)) from error


def _guess(text: str) -> str | None:
    if not _BARE_HOST.fullmatch(text):
        return None
    try:
        url = normalize(f"https://{text}")
    except InvalidUrl:
        return None
    has_dot = "." in host_of(url)
    return url if has_dot and registrable_domain(host_of(url)) else None
