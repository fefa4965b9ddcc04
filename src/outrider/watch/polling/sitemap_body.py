"""The body of a sitemap. A small one is read in the event loop, a large one in a thread."""

import asyncio
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import Any, BinaryIO, Protocol, TypeVar

from outrider.fetch.outcome import Fetched
from outrider.watch.polling.fingerprint import fingerprint_of

CHUNK = 1 << 16
LARGE = 200_000  # bytes from which a sitemap is read in a thread
GZIP = b"\x1f\x8b"

T = TypeVar("T")


class Runner(Protocol):
    """Calls a function and yields to the event loop."""

    async def __call__(self, function: Callable[..., T], /, *arguments: Any) -> T: ...


class SitemapBody:
    """Close it after use. Call every function that reads from it through `run`."""

    def __init__(self, fetched: Fetched) -> None:
        self._stream = BytesIO(fetched.body) if fetched.file is None else fetched.file.open()
        self.run: Runner = _here if _is_small(self._stream) else asyncio.to_thread

    def chunks(self) -> Iterator[bytes]:
        return iter(lambda: self._stream.read(CHUNK), b"")

    def fingerprint(self) -> str:
        """The digest of all bytes. Rewinds the stream."""
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
    """Whether the body is short and not compressed."""
    beginning = stream.read(LARGE)
    stream.seek(0)
    return len(beginning) < LARGE and not beginning.startswith(GZIP)
