"""The request for a robots.txt, and the meaning of its answer.

2xx is parsed, 4xx allows everything, and a redirect without a target counts as a missing file (RFC 9309),
as does a redirect to an address that the guard refuses. Any other outcome is unusable, and nothing may be
fetched from the host without a usable answer.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from outrider.fetch import (
    Chain,
    Fetched,
    HopLimits,
    NotModified,
    Outcome,
    Redirected,
    Refused,
    Rejected,
    Request,
)
from outrider.fetch.redirects import follow_redirects
from outrider.robots import Robots
from outrider.robots.store import LARGEST, robots_of

TIMEOUT_S = 10.0
ACCEPT = "text/plain,*/*;q=0.5"


def request_for(url: str, timeout_s: float) -> Request:
    """The request for one robots.txt, or for the target of its redirect."""
    return Request(url, timeout_s=min(timeout_s, TIMEOUT_S), max_bytes=LARGEST, truncate=True, accept=ACCEPT)


def answer_of(outcome: Outcome) -> tuple[int | None, bytes]:
    """The effective status and body; the status is None when the answer is unusable."""
    match outcome:
        case Fetched():
            return outcome.exchange.status, outcome.body
        case Rejected(exchange=exchange) if 400 <= exchange.status < 500 and exchange.status != 429:
            return exchange.status, b""
        case Redirected() | NotModified():
            return 404, b""
        case _:
            return None, b""


def last_of(answers: Sequence[Outcome]) -> Outcome:
    """The answer that counts: of a redirect whose target may not be requested, the redirect."""
    return answers[-2] if isinstance(answers[-1], Refused) and len(answers) > 1 else answers[-1]


@dataclass(frozen=True, slots=True)
class RobotsFile:
    """The answer of a host. `rules` is None when the answer is unusable."""

    url: str
    outcome: Outcome

    @property
    def status(self) -> int | None:
        """The effective status; for an unusable answer the status that the server sent, if any."""
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
    """Fetch the file outside a lane and follow its redirects; `ask` keeps the delay of the host."""
    url = f"{origin}/robots.txt"
    answers: list[Outcome] = []

    async def request(chain: Chain) -> Outcome:
        answers.append(await ask(request_for(chain.url, timeout_s or TIMEOUT_S)))
        return answers[-1]

    await follow_redirects(Chain.start(url), request, HopLimits(max_redirects))
    return RobotsFile(url, last_of(answers))
