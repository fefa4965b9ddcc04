"""Makes one HTTP request, from name lookup to body."""

import asyncio

from outrider.clock import Clock, SystemClock
from outrider.fetch.attempt import Attempt
from outrider.fetch.contact import needs_contact
from outrider.fetch.egress import Egress
from outrider.fetch.failures import Problem, message_of
from outrider.fetch.guard import BlockedAddress
from outrider.fetch.options import FetchOptions
from outrider.fetch.outcome import Failure, Outcome, Refusal, Refused, Request
from outrider.fetch.target import read_target
from outrider.logs import get_logger

_log = get_logger()


class Fetcher:
    """Makes one request per call, over a shared pool of connections."""

    def __init__(self, options: FetchOptions | None = None, clock: Clock | None = None) -> None:
        self._options = options or FetchOptions()
        self._clock = clock or SystemClock()
        self._egress = Egress(self._options)
        self._is_anonymous = self._options.is_anonymous

    async def fetch(self, request: Request) -> Outcome:
        """Make exactly one request and return its outcome. Raises nothing but cancellation."""
        found = read_target(request.url)
        if found is None:
            return Refused(request.url, Refusal.INVALID_URL, "this is not an http or https URL")
        origin, target = found
        if self._is_anonymous and needs_contact(origin.host, self._options.resolve):
            return Refused(request.url, Refusal.NO_CONTACT, f"{origin.host} is not asked: no contact is set")
        timeout_s = request.timeout_s or self._options.timeout_s
        loop = asyncio.get_running_loop()
        deadline = loop.time() + timeout_s
        attempt = Attempt(request, self._options, loop, deadline)
        try:
            await self._egress.send(request, origin, target, attempt.answer)
            return attempt.outcome(self._clock)
        except TimeoutError:
            return attempt.failed(Failure.TIMEOUT, f"no complete answer in {timeout_s:g} s")
        except BlockedAddress as blocked:
            return Refused(request.url, Refusal.BLOCKED_ADDRESS, str(blocked))
        except Problem as problem:
            return attempt.failed(problem.failure, message_of(problem))
        except Exception as error:
            _log.exception("fetch broke", url=request.url)
            return attempt.failed(Failure.PROTOCOL, message_of(error))

    async def close(self) -> None:
        """Close all connections. Requests in progress end as failures."""
        await self._egress.close()
