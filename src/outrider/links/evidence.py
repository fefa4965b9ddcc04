"""What is known about a link: the requests that were made and what came back. Pure values."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from outrider.fetch import Failure, Hop
from outrider.links.reason import LinkReason


class Verdict(StrEnum):
    """What a check says about a link."""

    OK = "ok"
    MOVED = "moved"
    DEAD = "dead"
    UNCERTAIN = "uncertain"


class Purpose(StrEnum):
    """What a request is for."""

    LINK = "link"  # the link itself
    RANDOM_PATH = "random_path"  # an address that cannot exist, on the same host
    FRONT_PAGE = "front_page"  # of the same host


class ProbeEnding(StrEnum):
    """How a request of a check ended."""

    ANSWERED = "answered"
    FAILED = "failed"  # no usable answer: `failure` names it
    REDIRECT_LOOP = "redirect_ended"  # a redirect that is not followed further
    BAD_REDIRECT = "bad_redirect"  # a redirect without a usable target
    ROBOTS = "robots"  # not asked: robots.txt forbids it
    REFUSED = "refused"  # not asked: the address is not allowed
    INVALID = "invalid"  # not asked: this is no address
    RESTING = "resting"  # not asked: the host rests, or another worker holds it


class Wall(StrEnum):
    """An answer that is about the visitor and not about the page."""

    CHALLENGE = "challenge"
    LOGIN = "login"
    PARKED = "parked"


@dataclass(frozen=True, slots=True)
class PageSignals:
    """What the body of an answer says."""

    title: str | None = None
    text_hash: int = 0  # of the visible words, without the address of the page
    signature: bytes = b""  # for near-duplicates; empty for a short text
    words: int = 0
    wall: Wall | None = None
    marker: str | None = None  # the words or the header that gave the wall away
    says_missing: bool = False  # the title says that there is no such page
    has_scripts: bool = False
    is_whole: bool = True  # False: only the beginning was read
    ids: frozenset[str] | None = None  # fragments that exist; None: not looked for
    links: tuple[str, ...] = ()  # absolute addresses with their fragments, if ids were looked for


@dataclass(frozen=True, slots=True)
class LinkProbe:
    """One request, its redirects included, and what came back."""

    purpose: Purpose
    method: str
    url: str  # as asked
    asked_at: datetime
    ending: ProbeEnding
    status: int | None = None
    final_url: str | None = None
    hops: tuple[Hop, ...] = ()
    failure: Failure | None = None
    message: str | None = None
    content_type: str | None = None
    page: PageSignals | None = None
    name_is_gone: bool = False  # DNS does not know the name, and answers for the domain above it

    @property
    def is_success(self) -> bool:
        return self.status is not None and self.ending is ProbeEnding.ANSWERED and self.status < 400

    @property
    def page_wall(self) -> Wall | None:
        return self.page.wall if self.page is not None else None

    def with_gone_name(self) -> "LinkProbe":
        """The same, for a name that certainly does not exist."""
        return replace(self, name_is_gone=True)

    def json_form(self) -> dict[str, Any]:
        """Scripts depend on these names."""
        page = self.page
        return {
            "purpose": self.purpose,
            "method": self.method,
            "url": self.url,
            "asked_at": self.asked_at,
            "ending": self.ending,
            "status": self.status,
            "hops": [{"url": hop.url, "status": hop.status, "target": hop.target} for hop in self.hops],
            "error": self.failure,
            "message": self.message,
            "title": page.title if page else None,
            "marker": page.marker if page else None,
        }


@dataclass(frozen=True, slots=True)
class Evidence:
    """Everything that one check learned about one address."""

    url: str
    probes: tuple[LinkProbe, ...]
    fragment: str | None = None

    @property
    def ends_in_timeout(self) -> bool:
        """Whether the last request got no answer in time: the server is slow, or this machine is."""
        made = [probe for probe in self.probes if probe.ending is not ProbeEnding.RESTING]
        return bool(made) and made[-1].failure is Failure.TIMEOUT

    @property
    def is_empty(self) -> bool:
        """Whether no request was made, because the host rests."""
        return all(probe.ending is ProbeEnding.RESTING for probe in self.probes)

    def of(self, purpose: Purpose) -> Sequence[LinkProbe]:
        """The requests for this purpose, in order."""
        return [probe for probe in self.probes if probe.purpose is purpose]


@dataclass(frozen=True, slots=True)
class PastCheck:
    """An earlier check of the same link."""

    at: datetime
    verdict: Verdict
    reason: LinkReason


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict on a link, and why."""

    verdict: Verdict
    reason: LinkReason
    status: int | None = None
    moved_to: str | None = None
    pending_since: datetime | None = None  # the first of the failures in a row that may mean dead
