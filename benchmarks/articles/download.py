"""One file over the network, bounded in size and time."""

import ssl
import time
import urllib.request
from http.client import HTTPException
from pathlib import Path

LARGEST = 50_000_000  # bytes
SILENCE_S = 30
PATIENCE_S = 120


def download(url: str, file: Path, *, certificates: str | None = None) -> None:
    """Raises OSError where it cannot be had, or takes longer or is larger than any of our archives."""
    context = ssl.create_default_context(cafile=certificates)
    deadline = time.monotonic() + PATIENCE_S
    size = 0
    try:
        with (
            urllib.request.urlopen(url, timeout=SILENCE_S, context=context) as answer,
            file.open("wb") as out,
        ):
            while piece := answer.read1(1 << 16):
                size += len(piece)
                if size > LARGEST or time.monotonic() > deadline:
                    raise OSError("too large, or too slow")
                out.write(piece)
    except (HTTPException, ValueError) as error:  # the latter for an address of no known kind
        raise OSError(str(error)) from error
