"""What a content type promises."""

HTML = frozenset({"text/html", "application/xhtml+xml", "application/vnd.wap.xhtml+xml"})


def is_html(content_type: str | None) -> bool:
    """A missing content type is taken for HTML (FET-12)."""
    kind = (content_type or "").partition(";")[0].strip().lower()
    return not kind or kind in HTML
