"""How the paths of a site are written: one form for all spellings of a path. Pure.

A path has two forms. The *decoded* form is what an application server gives to an application: `/größe/a b`.
The *stored* form is what people, tables and files use: the same, with `%`, `?`, `#`, blanks and backslashes
percent-encoded, so that it can stand in a URL: `/größe/a%20b`.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import quote, unquote, unquote_to_bytes

from outrider.errors import InvalidInput

LONGEST_PATH = 2_000  # bytes in stored form: longer ones do not fit in an index
ROOT = "/"

_MANY_SLASHES = re.compile(r"/{2,}")
_ENCODED = re.compile(r"[%?#\\\s]")
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_DOTS = re.compile(r"(?:^|/)\.\.?(?:/|$)")
_ASCII_LOWER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}
_IN_HEADERS = "%/:@!&'()*+,;=~-._?#[]"  # what a target keeps in a header; $ is a variable in nginx


@dataclass(frozen=True, slots=True)
class PathRules:
    """Which spellings of a path are the same on a site."""

    lowercase: bool = True
    strip_slash: bool = True
    exempt: tuple[str, ...] = ()  # prefixes whose paths are left as they are

    def key(self, path: str) -> str:
        """The one form of a decoded path. Only ASCII letters are lowercased, as web servers do."""
        if "//" in path:
            path = _MANY_SLASHES.sub("/", path)
        if self.exempt and self.is_exempt(path):
            return path
        if self.strip_slash and path[-1:] == "/" and len(path) > 1:
            path = path[:-1]
        if self.lowercase:
            path = path.lower() if path.isascii() else path.translate(_ASCII_LOWER)
        return path

    def is_exempt(self, path: str) -> bool:
        """Whether a decoded path keeps its spelling. Prefixes are compared as the site compares paths."""
        if not self.lowercase:
            return path.startswith(self.exempt)
        return path.translate(_ASCII_LOWER).startswith(_lowered(self.exempt))


@lru_cache(maxsize=1_024)
def _lowered(prefixes: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(prefix.translate(_ASCII_LOWER) for prefix in prefixes)


def read_path(text: str, rules: PathRules) -> str:
    """The stored form of a path that a person or a program wrote; raises InvalidInput with the reason."""
    if "?" in text or "#" in text:
        raise InvalidInput(f"{_shown(text)} must be a path without ? and #: queries are kept by themselves")
    return stored(rules.key(checked(decode(text))))


def checked(path: str) -> str:
    """The same decoded path; raises InvalidInput if no page of a site can have it."""
    if not path.startswith("/"):
        raise InvalidInput(f"{_shown(path)} must be a path that begins with /")
    if _CONTROLS.search(path):
        raise InvalidInput(f"{_shown(path)} contains a control character: remove it")
    if len(stored(path).encode()) > LONGEST_PATH:
        raise InvalidInput(f"{_shown(path)} is too long: a path has at most {LONGEST_PATH:,} bytes")
    if "\\" in path:
        raise InvalidInput(f"{_shown(path)} contains a backslash: write / instead")
    if _DOTS.search(path):
        raise InvalidInput(f"{_shown(path)} contains . or .. as a part: write the path that it leads to")
    return path


def decode(text: str) -> str:
    """A path with percent-encoding as decoded text; raises InvalidInput if that is no UTF-8."""
    if "%" not in text:
        return text
    try:
        return unquote_to_bytes(text).decode()
    except UnicodeError:
        raise InvalidInput(f"{_shown(text)} is not UTF-8 after its percent-encoding is decoded") from None


def stored(path: str) -> str:
    """The stored form of a decoded path."""
    return _ENCODED.sub(lambda found: quote(found[0], safe=""), path)


def decoded(path: str) -> str:
    """The decoded form of a stored path."""
    return unquote(path) if "%" in path else path


def for_header(text: str) -> str:
    """A stored path or target as ASCII for the header `Location`."""
    return quote(text, safe=_IN_HEADERS)


def _shown(text: str) -> str:
    return repr(text if len(text) <= 200 else text[:200] + "…")
