"""What is asked of a host for its robots.txt, and what its answer means.

2xx is parsed, 4xx allows everything, a redirect that leads nowhere is as good as no file (RFC 9309). Anything
else is no answer at all, and without one nothing may be fetched.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Never

from outrider.fetch import Chain, Fetched, HopLimits, NotModified, Outcome, Redirected, Rejected, Request
from outrider.fetch.redirects import RedirectResult, follow_redirects
from outrider.robots import Robots
from outrider.robots.store import LARGEST, robots_of

TIMEOUT_S = 10.0
ACCEPT = "text/plain,*/*;q=0.5"


def request_for(url: str, timeout_s: float) -> Request:
    """The request for one robots.txt, or for where it redirects to."""
    return Request(url, timeout_s=min(timeout_s, TIMEOUT_S), max_bytes=LARGEST, truncate=True, accept=ACCEPT)


def answer_of(outcome: Outcome) -> tuple[int | None, bytes]:
    """The status and body that count; no status when there was no answer we can go by."""
    match outcome:
        case Fetched():
            return outcome.exchange.status, outcome.body
        case Rejected(exchange=exchange) if 400 <= exchange.status < 500 and exchange.status != 429:
            return exchange.status, b""
        case Redirected() | NotModified():
            return 404, b""
        case _:
            return None, b""


@dataclass(frozen=True, slots=True)
class RobotsFile:
    """What a host said. Without `rules` it said nothing we could go by."""

    url: str
    outcome: Outcome

    @property
    def status(self) -> int | None:
        """What it counts as; of an answer we cannot go by, what it was."""
        if isinstance(self.outcome, Rejected):
            return self.outcome.exchange.status
        return answer_of(self.outcome)[0]

    @property
    def body(self) -> bytes:
        return answer_of(self.outcome)[1]

    @property
    def rules(self) -> Robots | None:
        status, body = answer_of(self.outcome)
        return None if status is None else robots_of(status, body)


async def ask_robots(
    origin: str,
    ask: Callable[[Request], Awaitable[Outcome]],
    max_redirects: int,
    timeout_s: float | None = None,
) -> RobotsFile:
    """Fetch the file outside a lane, and follow its redirects as a lane does; `ask` keeps the pace."""
    url = f"{origin}/robots.txt"

    async def request(chain: Chain) -> Outcome:
        return await ask(request_for(chain.url, timeout_s or TIMEOUT_S))

    came: RedirectResult[Never] = await follow_redirects(Chain.start(url), request, HopLimits(max_redirects))
    return RobotsFile(url, came.answer)
