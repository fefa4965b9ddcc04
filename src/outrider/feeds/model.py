"""Feeds and sitemaps, independent of their format: the types."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class Enclosure:
    """A file that goes with an entry: an episode, a picture, a video."""

    url: str
    type: str | None = None
    length: int | None = None


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """One item of a feed. Times are in UTC; `title`, `summary` and `content` are sanitised markup."""

    url: str | None = None
    title: str | None = None
    id: str | None = None
    author: str | None = None
    summary: str | None = None
    content: str | None = None
    published_at: datetime | None = None
    updated_at: datetime | None = None
    categories: tuple[str, ...] = ()
    enclosures: tuple[Enclosure, ...] = ()
    comments_url: str | None = None


@dataclass(frozen=True, slots=True)
class UpdateHints:
    """The poll intervals that the publisher asks for."""

    ttl_minutes: int | None = None
    skip_hours: frozenset[int] = frozenset()  # 0 to 23, UTC
    skip_days: frozenset[int] = frozenset()  # 0 is Monday
    update_period_s: int | None = None


@dataclass(frozen=True, slots=True)
class Feed:
    """A feed and its entries in document order."""

    title: str | None = None
    link: str | None = None
    description: str | None = None
    language: str | None = None
    author: str | None = None
    id: str | None = None
    published_at: datetime | None = None
    updated_at: datetime | None = None
    entries: tuple[FeedEntry, ...] = ()
    self_url: str | None = None
    hub: str | None = None
    next_url: str | None = None
    rhythm: UpdateHints = UpdateHints()

    @property
    def ttl_minutes(self) -> int | None:
        return self.rhythm.ttl_minutes

    @property
    def skip_hours(self) -> frozenset[int]:
        return self.rhythm.skip_hours

    @property
    def skip_days(self) -> frozenset[int]:
        return self.rhythm.skip_days

    @property
    def update_period_s(self) -> int | None:
        return self.rhythm.update_period_s


class SitemapKind(StrEnum):
    URLSET = "urlset"
    INDEX = "index"


@dataclass(frozen=True, slots=True)
class Alternate:
    """The same page in another language."""

    url: str
    language: str | None = None


@dataclass(frozen=True, slots=True)
class SitemapEntry:
    """A page, or a sitemap in a sitemap index."""

    url: str
    lastmod: datetime | None = None
    published_at: datetime | None = None  # only in a news sitemap
    alternates: tuple[Alternate, ...] = ()
    is_sitemap: bool = False


@dataclass(frozen=True, slots=True)
class Sitemap:
    kind: SitemapKind
    entries: tuple[SitemapEntry, ...] = ()
