"""Tests of content types."""

from functools import lru_cache

HTML = frozenset({"text/html", "application/xhtml+xml", "application/vnd.wap.xhtml+xml"})


@lru_cache(maxsize=256)  # each page asks three times, and servers have few answers
def is_html(content_type: str | None) -> bool:
    """Whether the content type is HTML. A missing one counts as HTML (FET-12)."""
    kind = (content_type or "").partition(";")[0].strip().lower()
    return not kind or kind in HTML
