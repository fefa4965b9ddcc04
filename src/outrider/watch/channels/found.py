"""What a look around a site brought."""

from dataclasses import dataclass, field

from outrider.frontier.model import EntryKind
from outrider.watch.channels.model import FoundBy, NewChannel

LONGEST_NOTE = 300
MOST_NOTES = 20


@dataclass(frozen=True, slots=True)
class FoundChannel:
    """A feed or sitemap that was fetched and has entries; with a `doubt`, one that polls have to prove."""

    url: str
    kind: EntryKind
    found_by: FoundBy
    items: int
    title: str | None = None
    sample: str | None = None  # one of the pages it announces
    doubt: str | None = None  # why nobody knows yet

    @property
    def channel(self) -> NewChannel:
        return NewChannel(self.url, self.kind, self.found_by, is_candidate=self.doubt is not None)


@dataclass(slots=True)
class Found:
    """What a look around a site brought. `notes` say in sentences what was tried and what came of it."""

    url: str
    is_reached: bool = False
    arrived_at: str | None = None  # the normalised address of the page that was read: redirects are followed
    is_down: bool = False  # some answer was none worth the name: what is missing says nothing about the site
    name: str | None = None
    feeds: list[FoundChannel] = field(default_factory=list)
    sitemaps: list[FoundChannel] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def sample(self) -> str | None:
        """An article, where a feed names one."""
        return next((channel.sample for channel in self.feeds if channel.sample), None)

    @property
    def channels(self) -> list[NewChannel]:
        return [found.channel for found in (*self.feeds, *self.sitemaps)]

    @property
    def kept_notes(self) -> list[str]:
        """As many as people read later."""
        return [note[:LONGEST_NOTE] for note in self.notes[:MOST_NOTES]]

    @property
    def is_proven(self) -> bool:
        """Is there anything that certainly announces pages?"""
        return any(found.doubt is None for found in (*self.feeds, *self.sitemaps))
