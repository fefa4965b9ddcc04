"""What the signature of a text is once it is made: its bands, and whether two are alike. Pure.

`extract/similarity/signature.py` makes signatures and says why they work. This module imports none of that,
so that a command can compare stored signatures without the extraction and without numpy.
"""

import struct
from collections.abc import Sequence
from typing import Final

VALUES: Final = 128  # of 16 bits
BANDS: Final = 16  # of the 32 there are: enough to find 988 of 1,000 texts that share .7
ROWS: Final = 4  # of 16 bits: a band is a bigint as it stands
ALIKE: Final = 0.64  # estimated similarity that counts: .7 less one and a half of its standard deviations
BYTES: Final = VALUES * 2

_BAND_KEYS: Final = struct.Struct(f"<{BANDS}q")
_MOST_DIFFERENCES: Final = VALUES - ALIKE * VALUES
_HIGHEST_BITS: Final = int.from_bytes(b"\x00\x80" * VALUES, "little")  # of each value
_LOWER_BITS: Final = int.from_bytes(b"\xff\x7f" * VALUES, "little")


def bands(signature: bytes) -> Sequence[int]:
    """Keys for an index, signed 64 bit: near-duplicates share at least one. None for an empty signature."""
    return _BAND_KEYS.unpack_from(signature) if len(signature) == BYTES else ()


def are_alike(one: bytes, other: bytes) -> bool:
    """Whether the texts of two signatures say nearly the same."""
    if len(one) != BYTES or len(other) != BYTES:
        return False
    # All values at once, as two large numbers: the addition sets the highest bit of each value that differs.
    differing = int.from_bytes(one, "little") ^ int.from_bytes(other, "little")
    carried = (differing & _LOWER_BITS) + _LOWER_BITS | differing
    return (carried & _HIGHEST_BITS).bit_count() <= _MOST_DIFFERENCES
