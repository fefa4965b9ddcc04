"""Whether a host name is gone, or DNS is in trouble.

A resolver says "no such name" both for a name that does not exist and, on many machines, while there is no
network at all. So the public suffix of the name is looked up as well: `com` is known wherever DNS works.
"""

import asyncio
import socket
from collections.abc import Callable
from enum import Enum, auto

from outrider.urls import registrable_domain

TIMEOUT_S = 5.0


class NameAnswer(Enum):
    """What DNS says about a name."""

    EXISTS = auto()  # with or without an address
    UNKNOWN = auto()  # no such name
    TROUBLE = auto()  # no answer


LookUp = Callable[[str], NameAnswer]


def look_up(name: str) -> NameAnswer:
    """Look up a name with the resolver of the machine. Blocks."""
    try:
        socket.getaddrinfo(name, None, type=socket.SOCK_STREAM)
    except socket.gaierror as error:
        if error.errno == socket.EAI_NONAME:
            return NameAnswer.UNKNOWN
        return NameAnswer.EXISTS if error.errno == _NO_ADDRESS else NameAnswer.TROUBLE
    except (OSError, UnicodeError):
        return NameAnswer.TROUBLE
    return NameAnswer.EXISTS


_NO_ADDRESS = getattr(socket, "EAI_NODATA", -5)


async def is_name_gone(host: str, ask: LookUp = look_up) -> bool:
    """Whether the name certainly does not exist. Names under `invalid` never do (RFC 6761)."""
    name = host.rstrip(".").lower()
    if name == "invalid" or name.endswith(".invalid"):
        return True
    domain = registrable_domain(name)
    if domain is None:
        return False
    suffix = domain.partition(".")[2]
    try:
        async with asyncio.timeout(TIMEOUT_S):
            if await asyncio.to_thread(ask, name) is not NameAnswer.UNKNOWN:
                return False
            return bool(suffix) and await asyncio.to_thread(ask, f"{suffix}.") is NameAnswer.EXISTS
    except TimeoutError:
        return False
