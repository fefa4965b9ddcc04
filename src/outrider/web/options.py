"""Settings of the HTTP server."""

from dataclasses import dataclass, field
from ipaddress import ip_network

from outrider.errors import InvalidUrl
from outrider.options import setting
from outrider.urls import resolve


def read_networks(text: str) -> tuple[str, ...]:
    """A list of addresses and networks, separated by commas."""
    try:
        return tuple(str(ip_network(each.strip(), strict=False)) for each in text.split(",") if each.strip())
    except ValueError:
        raise ValueError("give addresses or networks such as 10.0.0.0/8, separated by commas") from None


def public_address(text: str) -> str:
    """The address of the dashboard without a slash at its end; ValueError says what is wrong."""
    try:
        address = resolve(text.strip())
    except InvalidUrl as invalid:
        raise ValueError(invalid.why) from None
    if "?" in address or "@" in address:
        raise ValueError("give the address alone, such as https://crawler.example.org")
    return address.rstrip("/")


@dataclass(frozen=True, slots=True)
class WebOptions:
    """Where the server listens, and the bounds of a request."""

    host: str = field(
        default="127.0.0.1",
        metadata=setting("OUTRIDER_HOST", "The address that `outrider serve` listens on."),
    )
    port: int = field(
        default=8060,
        metadata=setting(
            "OUTRIDER_PORT",
            "The port that `outrider serve` listens on.",
            least=0,
            most=65535,
        ),
    )
    root_path: str = field(
        default="",
        metadata=setting(
            "OUTRIDER_ROOT_PATH", "The path prefix under which a reverse proxy serves Outrider."
        ),
    )
    public_url: str | None = field(
        default=None,
        metadata=setting(
            "OUTRIDER_PUBLIC_URL",
            "The address under which people open the dashboard; alerts link to it.",
            parse=public_address,
        ),
    )
    trusted_proxies: tuple[str, ...] = field(
        default=(),
        metadata=setting(
            "OUTRIDER_TRUSTED_PROXIES",
            "Addresses or networks of reverse proxies whose X-Forwarded-For is believed.",
        ),
    )
    body_limit: int = field(
        default=1 << 20,
        metadata=setting(
            "OUTRIDER_BODY_LIMIT", "The largest request body.", kind="size", least=1024, most=1 << 30
        ),
    )
    import_limit: int = field(
        default=20 << 20,
        metadata=setting(
            "OUTRIDER_IMPORT_LIMIT",
            "The largest request body of an import.",
            kind="size",
            least=1024,
            most=1 << 30,
        ),
    )
    stream_clients: int = field(
        default=1000,
        metadata=setting(
            "OUTRIDER_STREAM_CLIENTS", "Most open event streams of one process.", least=1, most=100_000
        ),
    )
    processes: int = field(
        default=1,
        metadata=setting(
            "OUTRIDER_API_PROCESSES", "Processes of `outrider serve` that answer requests.", least=1, most=64
        ),
    )
    connections: int = field(
        default=10,
        metadata=setting(
            "OUTRIDER_API_CONNECTIONS",
            "Most database connections of one process of the API.",
            least=1,
            most=200,
        ),
    )
    metrics_from: tuple[str, ...] = field(
        default=("127.0.0.0/8", "::1/128"),
        metadata=setting(
            "OUTRIDER_METRICS_FROM", "Addresses or networks that may read /metrics.", parse=read_networks
        ),
    )
