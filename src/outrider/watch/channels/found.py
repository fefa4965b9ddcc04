"""The result of a search of a site for feeds and sitemaps."""

from dataclasses import dataclass, field

from outrider.frontier.model import EntryKind
from outrider.watch.channels.model import FoundBy, NewChannel

LONGEST_NOTE = 300
MOST_NOTES = 20


@dataclass(frozen=True, slots=True)
class FoundChannel:
    """A feed or sitemap with entries. With a `doubt` it stays a candidate until a poll succeeds."""

    url: str
    kind: EntryKind
    found_by: FoundBy
    items: int
    title: str | None = None
    sample: str | None = None  # a page that the channel announces
    doubt: str | None = None  # why it is not certain that this is a channel

    @property
    def channel(self) -> NewChannel:
        return NewChannel(self.url, self.kind, self.found_by, is_candidate=self.doubt is not None)


@dataclass(slots=True)
class DiscoveryResult:
    """What a search of a site found. `notes` are sentences about each attempt and its result."""

    url: str
    is_reached: bool = False
    arrived_at: str | None = None  # the normalised address of the page that was read, after redirects
    is_down: bool = False  # a request failed, so a missing channel proves nothing about the site
    name: str | None = None
    feeds: list[FoundChannel] = field(default_factory=list)
    sitemaps: list[FoundChannel] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def sample(self) -> str | None:
        """An article that a feed announces, if there is one."""
        return next((channel.sample for channel in self.feeds if channel.sample), None)

    @property
    def channels(self) -> list[NewChannel]:
        return [found.channel for found in (*self.feeds, *self.sitemaps)]

    @property
    def kept_notes(self) -> list[str]:
        """The notes that are stored: bounded in number and length."""
        return [note[:LONGEST_NOTE] for note in self.notes[:MOST_NOTES]]

    @property
    def is_proven(self) -> bool:
        """Whether at least one channel was fetched and has entries."""
        return any(found.doubt is None for found in (*self.feeds, *self.sitemaps))
