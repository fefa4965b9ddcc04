"""The public callback address for hubs, and the address that the listener binds to. Pure."""

from dataclasses import dataclass

from outrider.errors import InvalidUrl
from outrider.urls import resolve


@dataclass(frozen=True, slots=True)
class ListenAddress:
    """Host and port of a listening socket."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def listen_address(text: str) -> ListenAddress:
    """Read `127.0.0.1:8061` or `[::1]:8061`; port 0 is any free one. Raises ValueError with the reason."""
    host, colon, port = text.strip().rpartition(":")
    is_bracketed = host.startswith("[") and host.endswith("]")
    if not colon or not host or (":" in host and not is_bracketed):
        raise ValueError("it is not host:port, as in 127.0.0.1:8061")
    if not (port.isascii() and port.isdigit() and int(port[:6]) <= 65_535):
        raise ValueError(f"{port[:20]!r} is not a port")
    return ListenAddress(host.strip("[]"), int(port))


def public_address(text: str) -> str:
    """Read the http or https callback address for hubs. Raises ValueError with the reason."""
    try:
        address = resolve(text.strip())
    except InvalidUrl as invalid:
        raise ValueError(invalid.why) from None
    if "?" in address:
        raise ValueError("hubs are told paths below it, so it cannot have a query")
    return address.rstrip("/")
