"""Hosts that keep a crawl waiting: some never answer, some do at a byte a second."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.support.site import Answer, Plan, Site

ADDRESS = "127.0.0.1"
# What a crawl needs to be told to go there, many hosts at a time.
SLOW = {
    "OUTRIDER_RESOLVE": f"*.silent.test={ADDRESS}/32",
    "OUTRIDER_LANES": "800",
    "OUTRIDER_HOSTS_PER_CLAIM": "64",
    "OUTRIDER_TIMEOUT": "1",
    "OUTRIDER_LEASE": "30",
    "OUTRIDER_BREAKER_REST": "60",
    "OUTRIDER_PATIENCE": "10",
    "OUTRIDER_LOG_LEVEL": "error",
}
_IN_QUEUE = 4  # more than a backlog of nothing holds
_DRIPPING = Answer(body="a" * 60, headers={"Content-Type": "text/html"}, drip=1.0)
FIRST_OCTET = 200  # above the addresses of the web beside it


@contextmanager
def silent_port() -> Iterator[int]:
    """Connections to it are never made, and never refused.

    The queue of its socket is full, so the kernel drops whoever else knocks.
    """
    with ExitStack() as stack:
        listener = stack.enter_context(socket.create_server((ADDRESS, 0), backlog=0))
        port: int = listener.getsockname()[1]
        for _ in range(_IN_QUEUE):
            waiting = stack.enter_context(socket.socket())
            waiting.setblocking(False)
            waiting.connect_ex((ADDRESS, port))
        yield port


def silent_seeds(port: int, hosts: int) -> list[str]:
    return [f"http://h{number}.silent.test:{port}/" for number in range(hosts)]


def dripping_site(folder: Path, hosts: int) -> Site:
    """Home pages that come one byte a second: never silent, and never done in time."""
    plan = Plan(pages=0, hosts=hosts, first_octet=FIRST_OCTET, answers={"/": [_DRIPPING]})
    return Site.start(folder, plan)
