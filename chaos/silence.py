"""Hosts that never answer: a socket whose queue is full, so that the kernel drops whoever else knocks."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

ADDRESS = "127.0.0.1"
# What a crawl needs to be told to go there, many hosts at a time.
SILENT = {
    "OUTRIDER_RESOLVE": f"*.silent.test={ADDRESS}/32",
    "OUTRIDER_LANES": "400",
    "OUTRIDER_HOSTS_PER_CLAIM": "64",
    "OUTRIDER_TIMEOUT": "1",
    "OUTRIDER_LEASE": "30",
    "OUTRIDER_BREAKER_REST": "60",
    "OUTRIDER_PATIENCE": "10",
    "OUTRIDER_LOG_LEVEL": "error",
}
_IN_QUEUE = 4  # more than a backlog of nothing holds


@contextmanager
def silent_port() -> Iterator[int]:
    """Connections to it are never made, and never refused."""
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
