"""What each kind of entry brings to a visit: the way there is the same for all of them."""

from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Protocol

from outrider.crawl.decide import Decision
from outrider.fetch.outcome import Outcome, Request
from outrider.frontier.dead_reason import DeadReason
from outrider.frontier.model import Entry

if TYPE_CHECKING:
    from outrider.crawl.visit import Visit


class Handler(Protocol):
    """How one kind of entry is asked for, and what becomes of the answer."""

    counts_as_page: bool  # spends the page limit of its source
    at_once: AbstractAsyncContextManager[object]  # held by a visit: how many there may be at the same time

    def refusal(self, visit: "Visit") -> DeadReason | None:
        """Why the entry is not worth a request after all; None to go on."""

    def request(self, entry: Entry, url: str) -> Request:
        """What to ask for; `url` is the entry's, or another spelling of it the server prefers."""

    async def settle(self, visit: "Visit", decision: Decision, outcome: Outcome | None) -> None:
        """Put what follows into the next batch."""
