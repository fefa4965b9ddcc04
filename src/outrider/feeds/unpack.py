"""Feeds and sitemaps that come as gzip files, declared or not, unpacked no further than we would read."""

from collections.abc import Iterable, Iterator

from outrider.feeds.limits import MAX_BYTES
from outrider.fetch.encodings import BadBody, Gzip

_MAGIC = b"\x1f\x8b\x08"


def unpacked(body: bytes) -> bytes:
    """`body`, or what it holds when it is a gzip file; of a broken file what could be read."""
    if not body.startswith(_MAGIC):
        return body[:MAX_BYTES]
    return b"".join(unpacked_chunks((body,)))


def unpacked_chunks(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The same for a body that arrives in pieces."""
    taken = 0
    for piece in _pieces(chunks):
        yield piece[: MAX_BYTES - taken]
        taken += len(piece)
        if taken >= MAX_BYTES:
            return


def _pieces(chunks: Iterable[bytes]) -> Iterator[bytes]:
    head, rest = b"", iter(chunks)
    for chunk in rest:
        head += chunk
        if len(head) >= len(_MAGIC):
            break
    if not head.startswith(_MAGIC):
        yield head
        yield from rest
        return
    gzip = Gzip()
    try:
        yield from gzip.feed(head)
        for chunk in rest:
            yield from gzip.feed(chunk)
    except BadBody:
        return
