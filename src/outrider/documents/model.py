"""The words of what we keep."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from outrider.urls import UrlKey


class Draft(NamedTuple):
    """A page as it will be kept: text and links already compressed. Made for every page, so a tuple."""

    key: UrlKey
    source_id: int
    status: int
    size: int  # of the unpacked body
    words: int
    content_hash: bytes
    is_comparable: bool  # enough words to be called a duplicate of another page
    base: str
    text: bytes
    links: bytes
    noindex: bool = False
    etag: str | None = None
    last_modified: str | None = None
    content_type: str | None = None
    charset: str | None = None
    language: str | None = None
    title: str | None = None
    description: str | None = None
    canonical_url: str | None = None
    author: str | None = None
    published_at: datetime | None = None
    meta: Mapping[str, Any] | None = None
    page_type: str | None = None
    unindexed: str | None = None  # why it is not to be found; None: it is
    links_count: int = 0
