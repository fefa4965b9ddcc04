"""Which language a page says it is in, spelled as BCP 47 recommends: `en`, `pt-BR`, `zh-Hant-TW`."""

import re
from collections.abc import Iterable
from functools import lru_cache

_TAG = re.compile(
    r"\s*([a-z]{2,3})(?:[-_]([a-z]{4}))?(?:[-_]([a-z]{2}|\d{3}))?(?=$|[-_.,;\s])", re.IGNORECASE
)
_NO_LANGUAGE = frozenset(("und", "mul", "zxx", "mis"))


def language_tag(declared: str | None) -> str | None:
    """The language, script and region of what a page declares, or None where it names none."""
    return _spelled(declared[:100]) if declared else None


@lru_cache(maxsize=256)  # a crawl meets few of them
def _spelled(declared: str) -> str | None:
    found = _TAG.match(declared)
    if found is None or found[1].lower() in _NO_LANGUAGE:
        return None
    parts = [found[1].lower()]
    if found[2]:
        parts.append(found[2].title())
    if found[3]:
        parts.append(found[3].upper())
    return "-".join(parts)


def first_language(declared: Iterable[str | None]) -> str | None:
    """The first declaration that names a language."""
    return next(filter(None, map(language_tag, declared)), None)
