"""Text and links as they are stored: zstd at its fastest level."""

import sys
from collections.abc import Iterator, Mapping

from outrider.hrefs import Hrefs

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

# Level 3 takes twice the time for a few per cent. Level 1 alone looks for shorter repetitions in a larger
# table: that takes an eighth longer for three per cent.
_PARAMETERS: Mapping[int, int] = {
    zstd.CompressionParameter.compression_level: 1,
    zstd.CompressionParameter.min_match: 7,
    zstd.CompressionParameter.hash_log: 13,
}
LONGEST = 64 * 1024 * 1024

# Shared: creating one takes longer than compressing the links of a page. It is thread-safe.
_PACKER = zstd.ZstdCompressor(options=_PARAMETERS)


def pack(text: str | bytes) -> bytes:
    """Compress a text, given as str or as UTF-8."""
    plain = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    return _PACKER.compress(plain, _PACKER.FLUSH_FRAME)


def unpack(stored: bytes | None) -> str:
    if stored is None:
        return ""
    return zstd.ZstdDecompressor().decompress(stored, LONGEST).decode("utf-8", "surrogatepass")


def pack_links(links: Hrefs) -> bytes:
    """Raw hrefs in page order, one per line; a tab marks nofollow.

    Tabs and line breaks within a link mean nothing, and are left out.
    """
    encoded = links.encoded
    if b"\n" in encoded or b"\t" in encoded or b"\r" in encoded:
        encoded = encoded.translate(None, b"\t\n\r")
    lines = encoded[:-1].replace(b"\0", b"\n")
    if links.nofollow:
        marks = zip(lines.split(b"\n"), links.nofollow, strict=True)
        lines = b"\n".join(b"\t" + line if is_nofollow else line for line, is_nofollow in marks)
    return pack(lines)


def unpack_links(stored: bytes | None) -> Iterator[tuple[str, bool]]:
    for line in unpack(stored).split("\n"):
        if line:
            yield line.lstrip("\t"), line.startswith("\t")
