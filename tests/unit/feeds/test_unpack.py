"""Feeds that come as gzip files."""

import gzip
import zlib

from outrider.feeds.limits import MAX_BYTES
from outrider.feeds.unpack import unpacked, unpacked_chunks

PLAIN = b"<rss>" + b"x" * 5000 + b"</rss>"


def test_what_is_not_gzip_is_left_alone():
    assert unpacked(PLAIN) == PLAIN
    assert b"".join(unpacked_chunks([PLAIN[:1], PLAIN[1:7], PLAIN[7:]])) == PLAIN


def test_a_gzip_file_is_opened_whole_or_in_pieces():
    packed = gzip.compress(PLAIN[:3000]) + gzip.compress(PLAIN[3000:])

    assert unpacked(packed) == PLAIN
    assert b"".join(unpacked_chunks(packed[at : at + 7] for at in range(0, len(packed), 7))) == PLAIN


def test_of_a_broken_file_the_part_before_the_break_is_kept():
    packed = gzip.compress(PLAIN, compresslevel=0)

    assert unpacked(packed[:2000]) == PLAIN[: len(unpacked(packed[:2000]))] != b""
    assert unpacked(b"\x1f\x8b\x08 this is no gzip file") == b""


def test_a_bomb_ends_at_the_limit():
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    megabyte = bytes(1 << 20)
    bomb = (
        b"".join(packer.compress(megabyte) for _ in range(MAX_BYTES // len(megabyte) + 30)) + packer.flush()
    )

    assert sum(map(len, unpacked_chunks([bomb]))) == MAX_BYTES
