"""The pace of the requests to one host, and the state of the host after each answer.

The delay runs from the end of the previous answer. So network jitter cannot make a request early by the
clock of the server.
"""

import random
import time
from typing import Protocol

from outrider.clock import sleep_until
from outrider.crawl.decide import health_of
from outrider.crawl.host_policy import apply_outcome
from outrider.fetch import Fetcher
from outrider.fetch.outcome import Outcome, Request
from outrider.hosts.breaker import admit
from outrider.hosts.model import Health, HostState
from outrider.hosts.options import HostOptions
from outrider.hosts.politeness import effective_delay_ms, spread_ms


class PaceTools(Protocol):
    """What a pace needs, and what all paces of one process share."""

    fetcher: Fetcher
    host_options: HostOptions
    dice: random.Random


class HostPace:
    """Decides when the next request to one host may start. Needs no database."""

    def __init__(self, state: HostState, tools: PaceTools) -> None:
        self.state: HostState = admit(state)
        self._tools = tools
        self._ready = time.monotonic()
        self._calm: HostState | None = None  # a state that a good answer leaves as it is

    @property
    def wait_s(self) -> float:
        """Seconds until the next request may start."""
        return max(self._ready - time.monotonic(), 0.0)

    async def may_ask(self) -> bool:
        """Wait until the delay is over; False when no request may be made."""
        if self.wait_s:
            await sleep_until(self._ready)
        return True

    async def ask(self, request: Request) -> Outcome:
        """Make one request, after which the delay starts again."""
        try:
            return await self._tools.fetcher.fetch(request)
        finally:
            self.rest()

    def rest(self) -> None:
        """Start the delay: a request has just ended."""
        delay_ms = effective_delay_ms(self.state) + spread_ms(
            self._tools.host_options, self._tools.dice.random()
        )
        self._ready = time.monotonic() + delay_ms / 1000

    def pause(self, seconds: float) -> None:
        """Make no request to the host for at least this long."""
        self._ready = max(self._ready, time.monotonic() + seconds)

    def change(self, state: HostState) -> None:
        """Take over a new state of the host; a longer delay counts from the last answer."""
        if state is self.state:
            return
        grown_ms = effective_delay_ms(state) - effective_delay_ms(self.state)
        self.state = state
        if grown_ms > 0:
            self._ready += grown_ms / 1000

    def learn(self, outcome: Outcome) -> bool:
        """Apply an answer to the delay and the breaker of the host; True when the host needs a rest."""
        is_good = health_of(outcome) is Health.GOOD
        if is_good and self.state is self._calm:
            return False
        reaction = apply_outcome(self.state, outcome, self._tools.host_options)
        if is_good and reaction.state is self.state:
            self._calm = self.state
        self.change(reaction.state)
        if not reaction.pause:
            return False
        self.pause(reaction.pause.total_seconds())
        return True
