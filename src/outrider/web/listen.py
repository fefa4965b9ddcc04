"""Opens the listening sockets of the server, and explains in one sentence why that is impossible."""

import errno
import socket
from collections.abc import Sequence
from contextlib import suppress
from ipaddress import ip_address

from outrider.errors import Misconfigured, OutriderError, Unavailable

BACKLOG = 2048


def listen(host: str, port: int) -> list[socket.socket]:
    """Sockets that listen on every address of `host`, all on one port; port 0 chooses a free one.

    The supervisor keeps them open: while a process of the API is started again, connections wait.
    """
    opened: list[socket.socket] = []
    problem: OutriderError | None = None
    for family, address in _addresses(host, port):
        chosen = opened[0].getsockname()[1] if opened else port
        try:
            opened.append(_open(family, address, chosen))
        except OSError as error:
            problem = explain(error, host, port)
            if error.errno != errno.EADDRNOTAVAIL:  # such as ::1 where IPv6 is switched off
                break
    if problem is not None and (not opened or isinstance(problem, Unavailable)):
        for each in opened:
            each.close()
        raise problem
    return opened


def address_to_open(sockets: Sequence[socket.socket], host: str, root_path: str = "") -> str:
    """The address for a browser on this machine."""
    port = sockets[0].getsockname()[1]
    with suppress(ValueError):
        if ip_address(host).is_unspecified:
            host = "127.0.0.1" if sockets[0].family == socket.AF_INET else "::1"
    return f"http://{f'[{host}]' if ':' in host else host}:{port}{root_path.rstrip('/')}/"


def explain(error: OSError, host: str, port: int) -> OutriderError:
    """Why the server cannot listen, and what to do."""
    match error.errno:
        case errno.EADDRINUSE:
            return Unavailable(
                f"port {port} of {host} is in use by another program: stop it, or choose another --port"
            )
        case errno.EACCES | errno.EPERM:
            return Misconfigured(f"this user may not listen on port {port}: choose a --port from 1024 up")
        case errno.EADDRNOTAVAIL:
            return Misconfigured(f"{host} is no address of this machine: --host takes one of its own")
    return Unavailable(f"cannot listen on {host} port {port}: {error.strerror or error}")


def _addresses(host: str, port: int) -> list[tuple[socket.AddressFamily, str]]:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError):
        raise Misconfigured(f"{host!r} is no address of this machine: --host takes one of its own") from None
    # IPv4 first: its port is the one that is printed.
    found.sort(key=lambda each: each[0] != socket.AF_INET)
    return list(dict.fromkeys((family, str(place[0])) for family, *_, place in found))


def _open(family: socket.AddressFamily, address: str, port: int) -> socket.socket:
    made = socket.socket(family, socket.SOCK_STREAM)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        made.bind((address, port))
        made.listen(BACKLOG)
    except BaseException:
        made.close()
        raise
    made.setblocking(False)
    return made
