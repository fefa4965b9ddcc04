"""The body of a sitemap, read so that nobody waits: a small one at once, others beside the event loop."""

import asyncio
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import Any, BinaryIO, Protocol, TypeVar

from outrider.fetch.outcome import Fetched
from outrider.watch.polling.fingerprint import fingerprint_of

CHUNK = 1 << 16
LARGE = 200_000  # bytes from which a sitemap is read beside the event loop
GZIP = b"\x1f\x8b"

T = TypeVar("T")


class Run(Protocol):
    """Calls a function, and lets others have their turn."""

    async def __call__(self, function: Callable[..., T], /, *arguments: Any) -> T: ...


class SitemapBody:
    """Used as a context; `run` is how everything that reads on is to be called."""

    def __init__(self, fetched: Fetched) -> None:
        self._stream = BytesIO(fetched.body) if fetched.file is None else fetched.file.open()
        self.run: Run = _here if _is_small(self._stream) else asyncio.to_thread

    def chunks(self) -> Iterator[bytes]:
        return iter(lambda: self._stream.read(CHUNK), b"")

    def fingerprint(self) -> str:
        """Of the bytes as they came; reading begins anew afterwards."""
        found = fingerprint_of(self.chunks())
        self._stream.seek(0)
        return found

    def close(self) -> None:
        self._stream.close()


async def _here(function: Callable[..., T], /, *arguments: Any) -> T:
    done = function(*arguments)
    await asyncio.sleep(0)
    return done


def _is_small(stream: BinaryIO) -> bool:
    """Read in no time: little of it, and nothing that unpacks to more."""
    beginning = stream.read(LARGE)
    stream.seek(0)
    return len(beginning) < LARGE and not beginning.startswith(GZIP)
