"""Files that browsers load: ours from `static/`, those of other projects from `assets/` (`make assets`).

Each has its hash in its address, so browsers keep it for ever and get a new one after an upgrade.
"""

import gzip
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType

from starlette.requests import Request
from starlette.responses import Response

from outrider.web.errors import error_response

_HERE = Path(__file__).parent
FOLDERS = (_HERE / "assets", _HERE / "static")
PREFIX = "/assets/"
_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".woff2": "font/woff2",
    ".webmanifest": "application/manifest+json",
}
_FOREVER = {"Cache-Control": "public, max-age=31536000, immutable"}


@dataclass(frozen=True, slots=True)
class Asset:
    """One file, ready to be sent."""

    address: str  # with its hash, without the prefix of a proxy
    content_type: str
    body: bytes
    compressed: bytes


@cache
def assets() -> MappingProxyType[str, Asset]:
    """Every file by its name."""
    files = (file for folder in FOLDERS if folder.is_dir() for file in sorted(folder.iterdir()))
    return MappingProxyType({file.name: _read(file) for file in files if file.suffix in _TYPES})


def address_of(name: str) -> str:
    """The address of a file; a missing file gives an address that answers 404."""
    found = assets().get(name)
    return found.address if found else f"{PREFIX}missing/{name}"


async def serve_asset(request: Request) -> Response:
    """Send a file by the address that `address_of` gives."""
    for found in assets().values():
        if found.address == PREFIX + request.path_params["path"]:
            headers = {**_FOREVER, "Vary": "Accept-Encoding"}
            if "gzip" in request.headers.get("accept-encoding", ""):
                headers["Content-Encoding"] = "gzip"
                return Response(found.compressed, headers=headers, media_type=found.content_type)
            return Response(found.body, headers=headers, media_type=found.content_type)
    return error_response(404, "there is no such file")


def _read(file: Path) -> Asset:
    body = file.read_bytes()
    tag = sha256(body).hexdigest()[:12]
    return Asset(
        f"{PREFIX}{file.stem}.{tag}{file.suffix}", _TYPES[file.suffix], body, gzip.compress(body, 6, mtime=0)
    )
