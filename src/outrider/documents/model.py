"""The types of stored pages."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from outrider.urls import UrlKey


class Draft(NamedTuple):
    """A page to store, with compressed text and links. A tuple, because one is created for every page."""

    key: UrlKey
    source_id: int
    status: int
    size: int  # of the unpacked body
    words: int
    content_hash: bytes
    is_comparable: bool  # enough words to be compared with other pages
    base: str
    text: bytes  # compressed, unless `is_unchanged`
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
    unindexed: str | None = None  # why it is not indexed; None: it is indexed
    links_count: int = 0
    signature: bytes | None = None  # for near-duplicates; empty for a text too short; None: made later
    is_unchanged: bool = False  # the same text was stored at the claim: it is plain here, without signature
