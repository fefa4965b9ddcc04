"""Resolve a link to an absolute http or https URL, by the WHATWG URL standard."""

import re
from functools import lru_cache
from typing import Final

from ada_url import join_url

from outrider.errors import InvalidUrl

# Checked before any parsing, so that an inlined image of 10 MB in an href costs nothing.
MAX_INPUT: Final = 65_536

# A path that stays unchanged: no dot segments, nothing to escape. Most links have such a path, and then only
# the origin needs the parser, whose result is mostly cached.
_PLAIN = re.compile(
    r"(https?://[a-z0-9.-]{1,255}+(?::[0-9]{1,5}+)?)?"
    r"((?:(?:/[A-Za-z0-9_~-][A-Za-z0-9_.~-]*+)++/?|/)(?:\?[A-Za-z0-9_.~=&%+-]*+)?)"
)
_LONGEST_ORIGIN = 300
_WEB = ("http://", "https://")

_SCHEME = re.compile(r"[\x00-\x20]*([A-Za-z][A-Za-z0-9+.-]*):")


def resolve(url: str, base: str | None = None) -> str:
    """The absolute URL of `url` on the page `base`, without its fragment.

    The result is not normalised: it is the address to request when a server redirects, where `/a` and
    `/a/` must stay different.
    """
    if len(url) > MAX_INPUT or (base is not None and len(base) > MAX_INPUT):
        raise InvalidUrl(url, f"it is longer than {MAX_INPUT} characters")
    return _put_together(url, base) or _parsed(url, base)


def _put_together(url: str, base: str | None) -> str | None:
    """The URL of a plain link, without parsing; None for any other link."""
    plain = _PLAIN.fullmatch(url)
    if plain is None:
        return None
    written, rest = plain.groups()
    origin = None if written is None else _origin(written)
    if base is not None:
        root = base.find("/", 8, _LONGEST_ORIGIN)
        home = None if root < 0 else _origin(base[:root])
        # By the standard, an invalid base makes even an absolute link invalid.
        origin = home if written is None or home is None else origin
    return None if origin is None else origin + rest


@lru_cache(maxsize=4096)
def _origin(written: str) -> str | None:
    """The origin of a URL that starts with `written`; None if its links need the parser."""
    try:
        href = join_url(written + "/", "")
    except ValueError:
        return None
    if not href.startswith(_WEB) or "@" in href:
        return None
    return href[: href.index("/", 8)]


def _parsed(url: str, base: str | None) -> str:
    try:
        # A join with an empty reference keeps the URL, and is the cheapest way to parse with ada.
        href = join_url(url, "") if base is None else join_url(base, url)
    except ValueError:
        href = _resolve_without_surrogates(url, base)
    if not href.startswith(_WEB):
        raise InvalidUrl(url, _why(url, base))
    if "#" in href:
        href = href[: href.index("#")]
    if "@" in href and "@" in href[: href.index("/", 8)]:
        raise InvalidUrl(url, "it carries credentials")
    return href


def _resolve_without_surrogates(url: str, base: str | None) -> str:
    """Second attempt for text from broken UTF-16: a lone surrogate becomes U+FFFD, as in browsers."""
    clean_url = _scalar_values(url)
    clean_base = None if base is None else _scalar_values(base)
    if clean_url == url and clean_base == base:
        raise InvalidUrl(url, _why(url, base)) from None
    try:
        return join_url(clean_url, "") if clean_base is None else join_url(clean_base, clean_url)
    except ValueError:
        raise InvalidUrl(url, _why(url, base)) from None


def _scalar_values(text: str) -> str:
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _why(url: str, base: str | None) -> str:
    scheme = _SCHEME.match(url)
    if scheme is not None and scheme[1].lower() not in ("http", "https"):
        return f"{scheme[1].lower()[:32]} is not http or https"
    if base is None and not url.strip("\t\n\r\f\x00 "):
        return "it is empty"
    if base is None and scheme is None:
        return "it has no scheme"
    return "it is not a valid URL"
