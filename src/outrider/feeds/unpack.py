"""Unpacks feeds and sitemaps that are gzip files, declared or not, up to the size limit."""

from collections.abc import Iterable, Iterator

from outrider.feeds.limits import MAX_BYTES
from outrider.fetch.encodings import BadBody, Gzip

_MAGIC = b"\x1f\x8b\x08"


def unpacked(body: bytes) -> bytes:
    """`body`, or its unpacked content if it is a gzip file; the readable part of a broken file."""
    if not body.startswith(_MAGIC):
        return body[:MAX_BYTES]
    return b"".join(unpacked_chunks((body,)))


def unpacked_chunks(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The unpacked content of a body in chunks."""
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
