"""Receive a body and stop at its limit."""

from collections.abc import Iterator, Sequence

from outrider.fetch.answer import StopReading
from outrider.fetch.encodings import BadBody, Decoder
from outrider.fetch.outcome import Failure
from outrider.fetch.spool import Spool

DISCARD_BYTES = 64 * 1024
_MOST_PIECES = 1024  # joined beyond this many: objects of a few bytes each take more memory than the body


class Body:
    """A decompressed body: all of it, or with `truncate` its first `limit` bytes.

    The limit holds on the wire, after decompression and between layers of encoding, so it bounds time
    and memory for every body.
    """

    is_wanted = True

    def __init__(
        self, decoders: Sequence[Decoder], limit: int, *, truncate: bool = False, spool: Spool | None = None
    ) -> None:
        self._unpacking = _Unpacking(decoders, limit) if decoders else None
        self._limit = limit
        self._truncate = truncate
        self._kept: list[bytes] = []
        self._joined = bytearray()
        self._keep = self._kept.append if spool is None else spool.write
        self._size = 0
        self._wire = 0

    @property
    def data(self) -> bytes:
        """The bytes received so far; empty if they go to a spool."""
        if len(self._kept) == 1 and not self._joined:
            return self._kept[0]
        return b"".join((self._joined, *self._kept))

    def write(self, data: bytes) -> None:
        """Raises BadBody, or Enough at the limit of a body that may be truncated."""
        self._wire += len(data)
        largest = self._wire
        if self._unpacking is None:
            self._take(data)
        else:
            for piece in self._unpacking.feed(data):
                self._take(piece)
                if self._size > self._limit:
                    break
            largest = max(largest, self._size, self._unpacking.largest)
        if largest > self._limit:
            if self._truncate:
                raise StopReading
            raise BadBody(Failure.TOO_LARGE, f"the body is larger than {self._limit} bytes")

    def finish(self) -> None:
        if self._unpacking is not None:
            self._unpacking.finish()

    def _take(self, piece: bytes) -> None:
        self._size += len(piece)
        self._keep(piece if self._size <= self._limit else piece[: self._limit - self._size])
        if len(self._kept) == _MOST_PIECES:
            self._joined += b"".join(self._kept)
            self._kept.clear()


class ErrorBody(Body):
    """The body of an error answer, as far as it arrives in a short time."""

    is_wanted = False


class Discard:
    """An unneeded body. A short one is read to its end, so that its connection can be used again."""

    is_wanted = False

    def __init__(self) -> None:
        self._size = 0

    def write(self, data: bytes) -> None:
        self._size += len(data)
        if self._size > DISCARD_BYTES:
            raise StopReading

    def finish(self) -> None:
        pass


class _Unpacking:
    """Decoders in a row; `largest` is the largest output of an inner decoder so far."""

    def __init__(self, decoders: Sequence[Decoder], limit: int) -> None:
        self._decoders = decoders
        self._limit = limit
        self._made = [0] * len(decoders)

    @property
    def largest(self) -> int:
        return max(self._made, default=0)

    def feed(self, data: bytes, layer: int = 0) -> Iterator[bytes]:
        if layer == len(self._decoders):
            yield data
            return
        for piece in self._decoders[layer].feed(data):
            self._made[layer] += len(piece)
            yield from self.feed(piece, layer + 1)
            if self._made[layer] > self._limit:
                return

    def finish(self) -> None:
        for decoder in self._decoders:
            decoder.finish()
