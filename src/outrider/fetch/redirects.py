"""Follow the redirects of one address, for commands, searches, hubs, polls and robots.txt.

Lanes do not use it for pages: the redirect of a page becomes an entry, by the same rules (`hops.py`).
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Generic, TypeVar

from outrider.fetch.hops import Chain, ChainEnd, HopLimits
from outrider.fetch.outcome import Outcome

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class RedirectResult(Generic[R]):
    """The last address and its outcome."""

    chain: Chain  # its `url` is the last address
    answer: Outcome | R  # of the last address; an R says why that address was not requested
    end: ChainEnd


async def follow_redirects(
    chain: Chain,
    ask: Callable[[Chain], Awaitable[Outcome | R]],
    limits: HopLimits,
    first: Outcome | None = None,
) -> RedirectResult[R]:
    """Request the address of the chain and every address that it redirects to, within the limits.

    `ask` requests `chain.url` and respects the delay and the robots.txt of the host. It returns an R when
    it may not or cannot make the request. `first` is the first response, if the caller has it already.
    """
    answer: Outcome | R = await ask(chain) if first is None else first
    while isinstance(answer, Outcome):
        step = chain.after(answer, limits, datetime.now(UTC))
        if isinstance(step, ChainEnd):
            return RedirectResult(chain, answer, step)
        chain = step
        answer = await ask(chain)
    return RedirectResult(chain, answer, ChainEnd(None, chain.hops))
