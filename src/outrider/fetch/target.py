"""Split a URL into the server and the request target."""

import re
from functools import lru_cache
from typing import NamedTuple

import ada_url

# No spaces or control characters, which would be sent as they are, and no credentials.
_REQUESTABLE = re.compile(r"(https?)://([!\"$-.0->A-\[\]-~]+)((?:[/?][!-~]*)?)")
_PORTS = {"http": 80, "https": 443}
_MOST_ORIGINS = 10_000


class Origin(NamedTuple):
    """One server. `host` is a name or a bare address, `authority` is how a Host header spells it."""

    scheme: str
    host: str
    port: int
    authority: str


def read_target(url: str) -> tuple[Origin, str] | None:
    """The server, and the path with its query; None for a URL that cannot be requested."""
    found = _REQUESTABLE.fullmatch(url)
    if found is None:
        return None
    scheme, authority, path = found.groups()
    origin = _origin(scheme, authority)
    if origin is None:
        return None
    if not path.startswith("/"):
        path = "/" + path
    return origin, path.partition("#")[0] if "#" in path else path


@lru_cache(_MOST_ORIGINS)
def _origin(scheme: str, authority: str) -> Origin | None:
    try:
        parsed = ada_url.URL(f"{scheme}://{authority}/")
    except ValueError:
        return None
    port = int(parsed.port) if parsed.port else _PORTS[scheme]
    if port == 0:
        return None
    return Origin(scheme, parsed.hostname.strip("[]"), port, parsed.host)
