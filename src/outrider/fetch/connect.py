"""Open a connection: TCP to the first address that answers, then TLS if needed."""

import asyncio
import socket
from collections.abc import Sequence
from contextlib import suppress
from ssl import SSLContext
from typing import Any

import aiohappyeyeballs

from outrider.fetch.connection import Connection
from outrider.fetch.failures import connecting_failed
from outrider.fetch.guard import BlockedAddress, Network, is_permitted

_HEAD_START_S = 0.25  # after this time the next address is tried in parallel


async def open_socket(
    addresses: Sequence[str], port: int, allow: Sequence[Network] | None = None
) -> socket.socket:
    """A socket to one of these addresses; raises BlockedAddress and Problem.

    This is the last check: every address is checked when its socket is created. Without `allow` every
    address is permitted, which is for proxies: the operator named them.
    """

    def vetted(info: Any) -> socket.socket:
        family, kind, protocol, _, (address, *_) = info
        if allow is not None and not is_permitted(address, allow):
            raise BlockedAddress(address, address)
        return socket.socket(family, kind, protocol)

    try:
        return await aiohappyeyeballs.start_connection(
            [_address_info(address, port) for address in addresses],
            happy_eyeballs_delay=_HEAD_START_S,
            socket_factory=vetted,
        )
    except OSError as error:
        raise connecting_failed(error) from error


async def connect(sock: socket.socket, tls: SSLContext | None, name: str) -> Connection:
    """A connection that owns this socket; raises Problem."""
    loop = asyncio.get_running_loop()
    try:
        _, connection = await loop.create_connection(
            Connection, sock=sock, ssl=tls, server_hostname=name if tls else None
        )
        return connection
    except BaseException as error:
        with suppress(OSError):
            sock.close()
        if isinstance(error, (OSError, ValueError)):
            raise connecting_failed(error) from error
        raise


async def connect_within(connection: Connection, tls: SSLContext, name: str) -> Connection:
    """TLS to the server at the other end of this tunnel; raises Problem."""
    try:
        return await connection.secure(tls, name)
    except BaseException as error:
        connection.abort()
        if isinstance(error, (OSError, ValueError)):
            raise connecting_failed(error) from error
        raise


def _address_info(address: str, port: int) -> Any:
    if ":" in address:
        return socket.AF_INET6, socket.SOCK_STREAM, socket.IPPROTO_TCP, "", (address, port, 0, 0)
    return socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP, "", (address, port)
