"""Bodies: unpacked, bounded, whole."""

import gzip
import sys
import tracemalloc
import zlib

import brotli
import pytest
from hypothesis import given
from hypothesis import strategies as st

from outrider.fetch.answer import StopReading
from outrider.fetch.body import Body
from outrider.fetch.encodings import BadBody, Brotli, Deflate, Gzip, Zstd, decoders_for
from outrider.fetch.outcome import Failure
from outrider.fetch.spool import Spool

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

TEXT = b"So it goes, line after line after line. " * 2000
MEGABYTE = 1_000_000


def raw_deflate(data):
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


PACKERS = {
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    "deflate": zlib.compress,
    "DEFLATE": raw_deflate,
    "br": brotli.compress,
    "zstd": zstd.compress,
}


class Taken:
    """What became of a body that arrived in pieces of one size."""

    def __init__(self, data, encoding, limit=MEGABYTE, size=65_536, truncate=False, spool=None):
        body = Body(decoders_for(encoding), limit, truncate=truncate, spool=spool)
        self.wire_bytes = 0
        try:
            for at in range(0, len(data), size):
                self.wire_bytes += len(data[at : at + size])
                body.write(data[at : at + size])
            body.finish()
        except StopReading:
            assert truncate
        self.data = body.data


def failure_of(data, encoding, **kwargs):
    with pytest.raises(BadBody) as caught:
        Taken(data, encoding, **kwargs)
    return caught.value.failure


@pytest.mark.parametrize("size", [1, 7, 65_536])
@pytest.mark.parametrize("encoding", PACKERS)
def test_each_encoding_is_unpacked_however_it_is_cut(encoding, size):
    packed = PACKERS[encoding](TEXT)

    body = Taken(packed, encoding, size=size)

    assert body.data == TEXT
    assert body.wire_bytes == len(packed)


@pytest.mark.parametrize("encoding", [None, "", "identity", " Identity ", ","])
def test_an_unpacked_body_is_taken_as_it_is(encoding):
    assert Taken(TEXT, encoding).data == TEXT


def test_layers_are_taken_off_in_reverse_order():
    packed = zstd.compress(brotli.compress(gzip.compress(TEXT)))

    assert Taken(packed, "gzip, br, zstd").data == TEXT


def test_gzip_members_follow_one_another():
    packed = gzip.compress(b"one ") + gzip.compress(b"two ") + gzip.compress(b"three")

    for size in (1, 3, 65_536):
        assert Taken(packed, "gzip", size=size).data == b"one two three"


@pytest.mark.parametrize("rubbish", [b"\x00" * 20, b"<!-- served by x -->", b"\x1f", b"\x1fnot"])
def test_rubbish_after_gzip_is_overlooked(rubbish):
    for size in (1, 65_536):
        assert Taken(gzip.compress(TEXT) + rubbish, "gzip", size=size).data == TEXT


@pytest.mark.parametrize("size", [1, 65_536])
@pytest.mark.parametrize("encoding", ["br", "zstd"])
def test_rubbish_after_other_streams_is_a_bad_encoding(encoding, size):
    packed = PACKERS[encoding](TEXT) + b"rubbish"

    assert failure_of(packed, encoding, size=size) is Failure.BAD_ENCODING


def test_zstd_frames_follow_one_another():
    assert Taken(zstd.compress(b"one ") + zstd.compress(b"two"), "zstd").data == b"one two"


@pytest.mark.parametrize("encoding", ["gzip", "zstd"])
def test_a_thousand_streams_in_a_row_are_enough(encoding):
    empty = PACKERS[encoding](b"")

    assert Taken(empty * 1000, encoding).data == b""
    assert failure_of(empty * 1001, encoding) is Failure.BAD_ENCODING


@pytest.mark.parametrize("encoding", PACKERS)
def test_nothing_at_all_is_an_empty_body_in_every_encoding(encoding):
    assert Taken(b"", encoding).data == b""


@pytest.mark.parametrize("encoding", PACKERS)
def test_a_stream_that_ends_early_is_incomplete(encoding):
    packed = PACKERS[encoding](TEXT)

    assert failure_of(packed[: len(packed) // 2], encoding) is Failure.SHORT_BODY


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "zstd", "br"])
def test_a_stream_that_is_something_else_is_a_bad_encoding(encoding):
    assert failure_of(b"<!doctype html><title>Not packed</title>" * 50, encoding) is Failure.BAD_ENCODING


@pytest.mark.parametrize("encoding", ["compress", "utf-8", "gzip;q=1", "gzip, gzip, gzip, gzip", "x" * 9999])
def test_an_unknown_or_absurd_encoding_is_refused_before_reading(encoding):
    assert failure_of(b"abc", encoding) is Failure.BAD_ENCODING


@pytest.mark.parametrize("encoding", [None, *PACKERS])
def test_a_body_may_be_as_large_as_the_limit_and_no_larger(encoding):
    pack = PACKERS.get(encoding, bytes)
    exact, more = pack(b"x" * 5000), pack(b"x" * 5001)

    assert len(Taken(exact, encoding, limit=5000).data) == 5000
    assert failure_of(more, encoding, limit=5000) is Failure.TOO_LARGE


def test_a_body_too_large_on_the_wire_is_not_read_to_its_end():
    body = Body((), MEGABYTE)
    body.write(bytes(MEGABYTE))

    with pytest.raises(BadBody):
        body.write(b"x")


@pytest.mark.parametrize("encoding", [None, *PACKERS])
def test_truncating_keeps_the_first_bytes(encoding):
    packed = PACKERS.get(encoding, bytes)(TEXT)

    body = Taken(packed, encoding, limit=100, truncate=True)

    assert body.data == TEXT[:100]


@pytest.mark.parametrize("encoding", [None, *PACKERS])
def test_a_spooled_body_is_the_same_body_in_a_file(encoding):
    packed, spool = PACKERS.get(encoding, bytes)(TEXT), Spool()

    body = Taken(packed, encoding, spool=spool)

    assert (body.data, body.wire_bytes, spool.size) == (b"", len(packed), len(TEXT))
    assert spool.open().read() == TEXT


def test_a_spooled_body_ends_at_the_limit_too():
    cut, refused = Spool(), Spool()

    Taken(TEXT, None, limit=100, truncate=True, spool=cut)
    failure = failure_of(TEXT, None, limit=100, spool=refused)

    assert failure is Failure.TOO_LARGE
    assert cut.open().read() == TEXT[:100]


def test_fifty_megabytes_are_spooled_in_little_memory():
    packed = gzip.compress(b"<url><loc>http://a.test/</loc></url>" * (50 * MEGABYTE // 36), compresslevel=1)
    spool = Spool()

    tracemalloc.start()
    try:
        Taken(packed, "gzip", limit=50 * MEGABYTE, spool=spool)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert spool.size > 49 * MEGABYTE
    assert peak < 2 * MEGABYTE


def test_a_body_in_tiny_pieces_weighs_little_more_than_itself():
    data = bytes(200_000)

    tracemalloc.start()
    try:
        taken = Taken(data, None, size=6)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert taken.data == data
    assert peak < 4 * len(data)


BOMBS = {
    "gzip": lambda: gzip.compress(b"\x00" * 200 * MEGABYTE, compresslevel=1),
    "deflate": lambda: zlib.compress(b"\x00" * 200 * MEGABYTE, level=1),
    "br": lambda: brotli.compress(b"\x00" * 200 * MEGABYTE, quality=1),
    "zstd": lambda: zstd.compress(b"\x00" * 200 * MEGABYTE),
}


@pytest.mark.parametrize("encoding", BOMBS)
def test_a_bomb_costs_no_more_than_the_limit(encoding):
    bomb = BOMBS[encoding]()

    tracemalloc.start()
    try:
        failure = failure_of(bomb, encoding, limit=MEGABYTE)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert failure is Failure.TOO_LARGE
    assert peak < 4 * MEGABYTE


def test_a_bomb_inside_a_bomb_costs_no_more_than_the_limit():
    inner = gzip.compress(b"\x00" * 200 * MEGABYTE, compresslevel=9)
    bomb = gzip.compress(inner * 20, compresslevel=9)

    tracemalloc.start()
    try:
        failure = failure_of(bomb, "gzip, gzip", limit=MEGABYTE)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert failure is Failure.TOO_LARGE
    assert peak < 4 * MEGABYTE


class Swallow:
    """An outer layer that makes nothing of what it is fed."""

    def __init__(self):
        self.taken = 0

    def feed(self, data):
        self.taken += len(data)
        return iter(())

    def finish(self):
        pass


def test_what_one_layer_makes_and_the_next_swallows_is_bounded_too():
    swallow = Swallow()
    body = Body([*decoders_for("gzip"), swallow], MEGABYTE)

    with pytest.raises(BadBody):
        body.write(gzip.compress(bytes(50 * MEGABYTE), compresslevel=1))

    assert swallow.taken < 2 * MEGABYTE


def unpack_at_once(decoder, data, size):
    """What came of it: bytes, or the failure's name."""
    try:
        unpacked = b"".join(p for at in range(0, len(data), size) for p in decoder.feed(data[at : at + size]))
        decoder.finish()
    except BadBody as error:
        return error.failure
    return unpacked


@given(st.binary(max_size=2000), st.sampled_from([Gzip, Deflate, Brotli, Zstd]), st.integers(1, 50))
def test_any_bytes_unpack_or_fail_by_name(data, decoder_class, size):
    result = unpack_at_once(decoder_class(), data, size)

    assert isinstance(result, bytes) or result in (Failure.BAD_ENCODING, Failure.SHORT_BODY)


@given(st.binary(max_size=3000), st.sampled_from(sorted(PACKERS)), st.integers(1, 64), st.integers(0, 255))
def test_packed_bytes_with_one_byte_changed_never_surprise(data, encoding, place, value):
    packed = bytearray(PACKERS[encoding](data))
    packed[place % len(packed)] = value
    (decoder,) = decoders_for(encoding)

    result = unpack_at_once(decoder, bytes(packed), len(packed))

    assert isinstance(result, bytes) or result in (Failure.BAD_ENCODING, Failure.SHORT_BODY)
