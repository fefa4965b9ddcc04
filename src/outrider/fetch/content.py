"""Tests of content types."""

HTML = frozenset({"text/html", "application/xhtml+xml", "application/vnd.wap.xhtml+xml"})


def is_html(content_type: str | None) -> bool:
    """Whether the content type is HTML. A missing one counts as HTML (FET-12)."""
    kind = (content_type or "").partition(";")[0].strip().lower()
    return not kind or kind in HTML
