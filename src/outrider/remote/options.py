"""Settings of a server elsewhere."""

from dataclasses import dataclass, field
from ipaddress import ip_address
from urllib.parse import urlsplit

from outrider.options import setting


def read_server(text: str) -> str:
    """The address of a server, without a slash at its end; ValueError says what is wrong."""
    text = text.strip()
    try:
        parts = urlsplit(text)
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise ValueError("give the address of a server, such as https://crawler.example.org") from None
    if parts.scheme not in ("http", "https") or not host:
        raise ValueError("give the address of a server, such as https://crawler.example.org")
    if parts.username is not None or parts.query or parts.fragment:
        raise ValueError("give the address alone; the token belongs in OUTRIDER_TOKEN")
    if parts.scheme == "http" and not _is_this_machine(host):
        raise ValueError("use https://, or an address of this machine: a token must not travel unencrypted")
    return text.rstrip("/")


def _is_this_machine(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


@dataclass(frozen=True, slots=True)
class RemoteOptions:
    """The server that commands talk to in place of a database."""

    url: str | None = field(
        default=None,
        metadata=setting(
            "OUTRIDER_URL",
            "The server that commands talk to, such as https://crawler.example.org; without it they use the "
            "database.",
            parse=read_server,
            secret=True,  # one that has a password in it is refused, and must not be repeated
        ),
    )
    token: str | None = field(
        default=None,
        repr=False,
        metadata=setting(
            "OUTRIDER_TOKEN",
            "The API token for OUTRIDER_URL. `outrider token create` makes one on the server.",
            secret=True,
        ),
    )
