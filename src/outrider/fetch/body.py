"""Read a body as it comes, and stop where the limit is."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from outrider.fetch.encodings import BadBody, Decoder
from outrider.fetch.outcome import Failure


@dataclass(frozen=True, slots=True)
class Body:
    """What we took, unpacked, and what it was on the wire."""

    data: bytes
    wire_bytes: int


class Stream(Protocol):
    """Whatever hands over bytes as they arrive, and nothing at the end."""

    async def readany(self) -> bytes: ...


async def read_body(
    stream: Stream, decoders: Sequence[Decoder], limit: int, *, truncate: bool = False
) -> Body:
    """The whole body, or with `truncate` its first `limit` bytes; raises BadBody.

    The limit holds on the wire, after unpacking, and between layers, so that
    neither time nor memory goes beyond it whatever the body pretends to be.
    """
    unpacking = _Unpacking(decoders, limit)
    kept: list[bytes] = []
    size = wire = 0
    while data := await stream.readany():
        wire += len(data)
        for piece in unpacking.feed(data) if decoders else (data,):
            size += len(piece)
            kept.append(piece)
            if size > limit:
                break
        if max(size, wire, unpacking.largest) > limit:
            if truncate:
                return Body(b"".join(kept)[:limit], wire)
            raise BadBody(Failure.TOO_LARGE, f"the body is larger than {limit} bytes")
    unpacking.finish()
    return Body(b"".join(kept) if len(kept) != 1 else kept[0], wire)


class _Unpacking:
    """Layers of encoding in a row; `largest` is what the most productive inner one has made so far."""

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
