"""One robots.txt asked for outside a crawl, and what its answer means."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from outrider.crawl.rules import ACCEPT, TIMEOUT_S
from outrider.fetch import Fetched, Outcome, Redirected, Rejected, Request
from outrider.robots import Robots
from outrider.robots.store import LARGEST


@dataclass(frozen=True, slots=True)
class RobotsFile:
    """What a host said. Without `rules` it said nothing we could go by, so nothing may be fetched."""

    url: str
    outcome: Outcome
    rules: Robots | None

    @property
    def status(self) -> int | None:
        match self.outcome:
            case Fetched(exchange=exchange) | Rejected(exchange=exchange):
                return exchange.status
            case Redirected():
                return 404  # it leads nowhere we can follow, which is as good as no file (RFC 9309)
            case _:
                return None

    @property
    def body(self) -> bytes:
        return self.outcome.body if isinstance(self.outcome, Fetched) else b""


async def ask_robots(
    origin: str,
    ask: Callable[[Request], Awaitable[Outcome]],
    max_redirects: int,
    timeout_s: float | None = None,
) -> RobotsFile:
    """Get the file once, following redirects as a crawl does; `ask` keeps the pace."""
    asked = url = f"{origin}/robots.txt"
    timeout_s = min(timeout_s or TIMEOUT_S, TIMEOUT_S)
    for _ in range(max_redirects + 1):
        outcome = await ask(
            Request(url, timeout_s=timeout_s, max_bytes=LARGEST, truncate=True, accept=ACCEPT)
        )
        if not isinstance(outcome, Redirected) or outcome.follow is None:
            break
        url = outcome.follow
    return RobotsFile(asked, outcome, _rules_in(outcome))


def _rules_in(outcome: Outcome) -> Robots | None:
    match outcome:
        case Fetched(body=body):
            return Robots.parse(body)
        case Rejected(exchange=exchange) if exchange.status >= 500 or exchange.status == 429:
            return None
        case Rejected(exchange=exchange):
            return Robots.for_status(exchange.status)
        case Redirected():
            return Robots.ALLOW_ALL
        case _:
            return None
