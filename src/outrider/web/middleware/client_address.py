"""Finds the address of the client behind trusted reverse proxies (AUT-17)."""

import ipaddress
from collections.abc import Sequence

from starlette.types import ASGIApp, Receive, Scope, Send

from outrider.errors import Misconfigured

MOST_HOPS = 20

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class ClientAddresses:
    """Replaces the peer's address by the one that a trusted proxy reports, and the scheme likewise."""

    def __init__(self, app: ASGIApp, trusted: Sequence[str]) -> None:
        self._app = app
        self._trusted = [_network(each) for each in trusted]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and self._trusted and scope.get("client"):
            scope = _behind_proxies(scope, self._trusted)
        await self._app(scope, receive, send)


def client_of(peer: str, forwarded: Sequence[str], trusted: Sequence[Network]) -> str:
    """The nearest address in the chain that is no trusted proxy. `forwarded` is in the header's order."""
    address = peer
    for each in reversed(forwarded[-MOST_HOPS:]):
        if not _is_in(address, trusted):
            break
        if _parsed(each) is None:
            break
        address = each
    return address


def _behind_proxies(scope: Scope, trusted: Sequence[Network]) -> Scope:
    peer, port = scope["client"]
    if not _is_in(peer, trusted):
        return scope
    forwarded: list[str] = []
    scheme = scope["scheme"]
    for name, value in scope["headers"]:
        if name == b"x-forwarded-for":
            forwarded += [each.strip() for each in value.decode("latin-1").split(",")]
        elif name == b"x-forwarded-proto" and value in (b"http", b"https"):
            scheme = value.decode()
    return {**scope, "client": (client_of(peer, forwarded, trusted), port), "scheme": scheme}


def _is_in(address: str, networks: Sequence[Network]) -> bool:
    found = _parsed(address)
    return found is not None and any(found in network for network in networks)


def _parsed(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(address)
    except ValueError:
        return None


def _network(text: str) -> Network:
    try:
        return ipaddress.ip_network(text, strict=False)
    except ValueError:
        raise Misconfigured(
            f"{text!r} in OUTRIDER_TRUSTED_PROXIES is no address or network: write 10.0.0.5 or 10.0.0.0/8"
        ) from None
