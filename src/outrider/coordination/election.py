"""One process of an election: it applies, leads, renews and steps down."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress

from outrider.coordination.election_policy import (
    ElectionStep,
    Standing,
    elected,
    not_elected,
    not_renewed,
)
from outrider.coordination.lock import HeldLock, Lock
from outrider.coordination.options import CoordinationOptions
from outrider.coordination.store import LockStore
from outrider.coordination.terms import Term, Terms
from outrider.db.reconnecting import ReconnectingConnection
from outrider.errors import Misconfigured, OutriderError, Unavailable
from outrider.logs import get_logger

log = get_logger()

OnGain = Callable[[Term], Awaitable[None]]
OnLoss = Callable[[Term, str], Awaitable[None]]

_AWAY = (Unavailable, Misconfigured, TimeoutError)
_REFUSED = 0.0  # the end of a leadership whose write was refused


class Election:
    """The leader holds a lock and has the latest term. It needs both the lock's servers and PostgreSQL."""

    def __init__(
        self,
        connection: ReconnectingConnection,
        store: LockStore,
        name: str,
        *,
        holder: str,
        options: CoordinationOptions,
    ) -> None:
        self.options = options
        self._name = name
        self._holder = holder
        self._terms = Terms(connection, name)
        lock_name = f"leader:{name}"
        self._lock = Lock(store, lock_name, ttl_s=options.ttl_s, retries=store.candidate_retries)
        self._standing = Standing()
        self._term: Term | None = None
        self._held: HeldLock | None = None
        self._wake = asyncio.Event()
        self._is_away = False

    @property
    def term(self) -> Term | None:
        """The term of this process; None if it does not lead at this moment."""
        return self._term if self._standing.is_leading(time.monotonic()) else None

    def step_down(self, term: Term) -> None:
        """Report that a write of `term` was refused: the process gives up its leadership at once."""
        if self._term == term:
            self._standing = Standing(ends_at=_REFUSED)
            self._wake.set()

    async def run(self, on_gain: OnGain, on_loss: OnLoss) -> None:
        """Take part until cancelled. Both callbacks must return soon: no renewal happens meanwhile."""
        try:
            while True:
                await self.take_step(on_gain, on_loss)
                with suppress(TimeoutError):
                    async with asyncio.timeout(self._standing.wait_s(time.monotonic())):
                        await self._wake.wait()
                self._wake.clear()
        finally:
            await self._end(on_loss, "this process stops")

    async def take_step(self, on_gain: OnGain, on_loss: OnLoss) -> None:
        """Do what is due now, once."""
        match self._standing.step(time.monotonic()):
            case ElectionStep.APPLY:
                await self._apply(on_gain)
            case ElectionStep.RENEW:
                if (lost := await self._renew()) is not None:
                    await self._end(on_loss, lost)
            case ElectionStep.STEP_DOWN:
                was_refused = self._standing.ends_at == _REFUSED
                await self._end(
                    on_loss, "a write was refused" if was_refused else "it was not renewed in time"
                )

    async def _apply(self, on_gain: OnGain) -> None:
        self._standing = not_elected(time.monotonic(), self.options)
        term = None
        try:
            # Read before the lock is taken: a process that takes it later reads a later term.
            latest = await self._terms.latest()
            asked_at = time.monotonic()
            if (held := await self._lock.acquire()) is None:
                return
            self._held = held
            async with asyncio.timeout(held.ends_at - time.monotonic()):
                term = await self._terms.begin(latest, self._holder)
        except _AWAY as error:
            self._note_away(error)
        if self._held is None:
            return
        if term is None or not self._held.is_valid(time.monotonic()):
            await self._give_back()
            return
        self._is_away = False
        self._term = term
        self._standing = elected(asked_at, self._held.ends_at, self.options)
        log.info("leadership gained", election=self._name, term=term.fence)
        await on_gain(term)

    async def _renew(self) -> str | None:
        """Renew the leadership; returns why it is lost, None if it is not."""
        assert self._held is not None
        assert self._term is not None
        asked_at, ends_at = time.monotonic(), self._held.ends_at
        try:
            async with asyncio.timeout(ends_at - asked_at):
                # A leader that cannot reach PostgreSQL must not keep the lock from one that can.
                if await self._terms.latest() != self._term.fence:
                    return "another process began a term"
                if not await self._held.extend():
                    return "the lock expired or was taken"
        except _AWAY as error:
            self._note_away(error)
            self._standing = not_renewed(self._standing, time.monotonic(), self.options)
            return None
        if time.monotonic() >= ends_at:
            return "it was renewed too late"
        self._is_away = False
        if self._standing.ends_at != _REFUSED:  # meanwhile
            self._standing = elected(asked_at, self._held.ends_at, self.options)
        return None

    async def _end(self, on_loss: OnLoss, reason: str) -> None:
        """Stop being leader: first the duties end, then the lock is free."""
        term, self._term = self._term, None
        self._standing = not_elected(time.monotonic(), self.options)
        try:
            if term is not None:
                log.info("leadership lost", election=self._name, term=term.fence, reason=reason)
                await on_loss(term, reason)
        finally:
            await self._give_back()

    async def _give_back(self) -> None:
        held, self._held = self._held, None
        if held is not None:
            with suppress(OutriderError):  # it expires by itself
                await held.release()

    def _note_away(self, error: BaseException) -> None:
        if not self._is_away:
            log.warning("leadership cannot be decided", election=self._name, error=str(error) or "timed out")
        self._is_away = True
