"""Settings of the HTTP server."""

from dataclasses import dataclass, field

from outrider.options import setting


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
            alias=("PORT",),
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
