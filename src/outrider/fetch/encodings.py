"""Decode content encodings in small pieces, so that a decompression bomb costs no more than the limit."""

import sys
import zlib
from collections.abc import Callable, Iterator
from typing import Protocol

import brotli  # type: ignore[import-untyped]

from outrider.fetch.failures import Problem
from outrider.fetch.outcome import Failure

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

PIECE_BYTES = 256 * 1024
MOST_LAYERS = 3
MOST_MEMBERS = 1000  # an empty member takes a few bytes, but time to start

_GZIP_MAGIC = b"\x1f\x8b"
_GZIP, _ZLIB, _RAW = 31, 15, -15  # zlib's window bits
_LARGEST_ZSTD_WINDOW = 23  # 8 MB, what RFC 9659 lets a sender use


class BadBody(Problem):
    """The body cannot be decoded, or exceeds a limit."""


class Decoder(Protocol):
    """One layer of encoding. Pieces are at most PIECE_BYTES long."""

    def feed(self, data: bytes) -> Iterator[bytes]: ...

    def finish(self) -> None:
        """The input is complete: raises BadBody if the stream is not."""


class Gzip:
    """Gzip members in sequence. Other data after the last member is ignored, as in browsers."""

    def __init__(self) -> None:
        self._member = zlib.decompressobj(_GZIP)
        self._members = 1
        self._started = False
        self._held = b""
        self._over = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        while data and not self._over:
            if self._member.eof:
                data, self._held = self._held + data, b""
                if data == _GZIP_MAGIC[:1]:
                    self._held = data
                    return
                if not data.startswith(_GZIP_MAGIC):
                    self._over = True
                    return
                self._members = _one_more(self._members)
                self._member = zlib.decompressobj(_GZIP)
            self._started = True
            yield from _inflate(self._member, data)
            data = self._member.unused_data

    def finish(self) -> None:
        if self._started and not self._member.eof:
            raise BadBody(Failure.SHORT_BODY, "the gzip stream ends early")


class Deflate:
    """Deflate with a zlib header, as the standard says, and without one, as some servers send it."""

    def __init__(self) -> None:
        self._stream: zlib._Decompress | None = None
        self._held = b""

    def feed(self, data: bytes) -> Iterator[bytes]:
        if self._stream is None:
            data, self._held = self._held + data, b""
            if len(data) < 2:
                self._held = data
                return
            has_header = data[0] & 0x0F == 8 and (data[0] << 8 | data[1]) % 31 == 0
            self._stream = zlib.decompressobj(_ZLIB if has_header else _RAW)
        if not self._stream.eof:
            yield from _inflate(self._stream, data)

    def finish(self) -> None:
        if self._held or (self._stream is not None and not self._stream.eof):
            raise BadBody(Failure.SHORT_BODY, "the deflate stream ends early")


class Brotli:
    """One brotli stream."""

    def __init__(self) -> None:
        self._stream = brotli.Decompressor()
        self._started = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        self._started = True
        while data or not self._stream.can_accept_more_data():
            try:
                piece = self._stream.process(data, output_buffer_limit=PIECE_BYTES)
            except brotli.error:
                raise BadBody(Failure.BAD_ENCODING, "the brotli stream is broken") from None
            yield from _cut(piece)
            data = b""

    def finish(self) -> None:
        if self._started and not self._stream.is_finished():
            raise BadBody(Failure.SHORT_BODY, "the brotli stream ends early")


class Zstd:
    """Zstandard frames in sequence."""

    def __init__(self) -> None:
        self._frame = self._new_frame()
        self._frames = 1
        self._started = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        while data or not self._frame.needs_input:
            if self._frame.eof:
                if not data:
                    return
                self._frames = _one_more(self._frames)
                self._frame = self._new_frame()
            self._started = True
            try:
                piece = self._frame.decompress(data, PIECE_BYTES)
            except zstd.ZstdError:
                raise BadBody(Failure.BAD_ENCODING, "the zstd stream is broken") from None
            if piece:
                yield piece
            data = self._frame.unused_data if self._frame.eof else b""

    def finish(self) -> None:
        if self._started and not self._frame.eof:
            raise BadBody(Failure.SHORT_BODY, "the zstd stream ends early")

    @staticmethod
    def _new_frame() -> zstd.ZstdDecompressor:
        return zstd.ZstdDecompressor(
            options={zstd.DecompressionParameter.window_log_max: _LARGEST_ZSTD_WINDOW}
        )


_DECODERS: dict[str, Callable[[], Decoder]] = {
    "gzip": Gzip,
    "x-gzip": Gzip,
    "deflate": Deflate,
    "br": Brotli,
    "zstd": Zstd,
}


def decoders_for(content_encoding: str | None) -> tuple[Decoder, ...]:
    """The decoders, outermost first; raises BadBody for an unknown encoding."""
    if not content_encoding:
        return ()
    names = [name.strip().lower() for name in content_encoding.split(",")]
    names = [name for name in names if name not in ("", "identity")]
    if len(names) > MOST_LAYERS:
        raise BadBody(Failure.BAD_ENCODING, f"{len(names)} layers of encoding")
    for name in names:
        if name not in _DECODERS:
            raise BadBody(Failure.BAD_ENCODING, f"unknown encoding {name[:40]!r}")
    return tuple(_DECODERS[name]() for name in reversed(names))


def _one_more(members: int) -> int:
    if members == MOST_MEMBERS:
        raise BadBody(Failure.BAD_ENCODING, f"more than {MOST_MEMBERS} streams in a row")
    return members + 1


def _inflate(stream: "zlib._Decompress", data: bytes) -> Iterator[bytes]:
    while True:
        try:
            piece = stream.decompress(data, PIECE_BYTES)
        except zlib.error:
            raise BadBody(Failure.BAD_ENCODING, "the gzip or deflate stream is broken") from None
        if piece:
            yield piece
        data = stream.unconsumed_tail
        # After a full piece zlib may still hold output, although it has read all input.
        if stream.eof or (not data and len(piece) < PIECE_BYTES):
            return


def _cut(piece: bytes) -> Iterator[bytes]:
    # brotli treats the limit as a hint and may return a little more.
    for start in range(0, len(piece), PIECE_BYTES):
        yield piece[start : start + PIECE_BYTES]
