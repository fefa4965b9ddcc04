"""Resolve names to addresses: in threads, with a cache, and checked before a connection is made."""

import asyncio
import socket
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass

from outrider.fetch.guard import BlockedAddress, is_address, is_permitted
from outrider.fetch.names import address_for
from outrider.fetch.options import FetchOptions

_THREADS = 16  # a dead name server blocks a thread for seconds
_MOST_NAMES = 20_000
_FAILURE_CACHE_S = 30.0


@dataclass(frozen=True, slots=True)
class _Answer:
    addresses: tuple[str, ...]
    problem: str | None
    good_until: float


class GuardedResolver:
    """Returns permitted addresses only, so that connections go to checked addresses."""

    def __init__(self, options: FetchOptions) -> None:
        self._options = options
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="dns")
        self._answers: OrderedDict[str, _Answer] = OrderedDict()
        self._under_way: dict[str, asyncio.Task[_Answer]] = {}

    async def vet(self, host: str) -> None:
        """Raise BlockedAddress if `host`, a name or an address, has an address that is not permitted."""
        with suppress(OSError):
            await self.addresses(host)

    async def addresses(self, host: str) -> tuple[str, ...]:
        """Every address of `host`; raises BlockedAddress if one is not permitted, OSError for none."""
        known = host if is_address(host) else address_for(host, self._options.resolve)
        addresses = (known,) if known else await self.look_up(host)
        for address in addresses:
            if not is_permitted(address, self._options.allow_private):
                raise BlockedAddress(host, address)
        return addresses

    async def look_up(self, host: str) -> tuple[str, ...]:
        """The unchecked addresses from DNS, for hosts that the operator named, such as a proxy."""
        answer = self._answers.get(host)
        if answer is None or answer.good_until <= asyncio.get_running_loop().time():
            answer = await self._ask_once(host)
        if answer.problem is not None:
            raise OSError(answer.problem)
        return answer.addresses

    async def close(self) -> None:
        for task in self._under_way.values():
            task.cancel()
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _ask_once(self, host: str) -> _Answer:
        """Share one lookup among all requests for the same name; a cancelled request does not end it."""
        task = self._under_way.get(host)
        if task is None:
            task = asyncio.create_task(self._ask(host))
            self._under_way[host] = task
            task.add_done_callback(lambda _: self._under_way.pop(host, None))
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            if task.cancelled() and not _is_cancelled():
                raise OSError("the resolver is closed") from None
            raise

    async def _ask(self, host: str) -> _Answer:
        loop = asyncio.get_running_loop()
        addresses: tuple[str, ...] = ()
        problem = None
        try:
            async with asyncio.timeout(self._options.dns_timeout_s):
                addresses = await loop.run_in_executor(self._threads, _getaddrinfo, host)
        except TimeoutError:
            problem = f"no answer for {host} in {self._options.dns_timeout_s:g} s"
        except (OSError, UnicodeError) as error:
            problem = f"{host}: {getattr(error, 'strerror', None) or error}"
        good_for = _FAILURE_CACHE_S if problem else self._options.dns_cache_s
        answer = _Answer(addresses, problem, loop.time() + good_for)
        self._remember(host, answer)
        return answer

    def _remember(self, host: str, answer: _Answer) -> None:
        self._answers[host] = answer
        self._answers.move_to_end(host)
        if len(self._answers) > _MOST_NAMES:
            self._answers.popitem(last=False)


def _is_cancelled() -> bool:
    current = asyncio.current_task()
    return current is not None and current.cancelling() > 0


def _getaddrinfo(host: str) -> tuple[str, ...]:
    found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM, flags=socket.AI_ADDRCONFIG)
    addresses = dict.fromkeys(str(sockaddr[0]) for *_, sockaddr in found)
    if not addresses:
        raise OSError("no address")
    return tuple(addresses)
