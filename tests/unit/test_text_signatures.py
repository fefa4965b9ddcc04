"""Two signatures are alike if enough of their values are equal, wherever those stand."""

import math
import random
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outrider.text_signatures import ALIKE, BYTES, VALUES, are_alike

ENOUGH = math.ceil(ALIKE * VALUES)
SIGNATURES = st.binary(min_size=BYTES, max_size=BYTES)


def sharing(signature: bytes, count: int, seed: int = 1) -> bytes:
    """A signature that shares so many values with this one; the others differ, if only by a bit."""
    rng = random.Random(seed)
    values = list(struct.unpack(f"<{VALUES}H", signature))
    for place in rng.sample(range(VALUES), VALUES - count):
        values[place] ^= rng.choice([1, 0x8000, 0xFFFF, rng.randrange(1, 1 << 16)])
    return struct.pack(f"<{VALUES}H", *values)


@given(SIGNATURES, st.integers(0, 1 << 32))
def test_signatures_are_alike_that_share_enough_values(signature, seed):
    assert are_alike(signature, sharing(signature, ENOUGH, seed))
    assert not are_alike(signature, sharing(signature, ENOUGH - 1, seed))


@given(SIGNATURES, SIGNATURES)
def test_values_are_counted_one_by_one(one, other):
    pairs = zip(struct.unpack(f"<{VALUES}H", one), struct.unpack(f"<{VALUES}H", other), strict=True)
    assert are_alike(one, other) == (sum(a == b for a, b in pairs) >= ALIKE * VALUES)


@pytest.mark.parametrize("short", [b"", b"\0" * (BYTES - 1), b"\0" * (BYTES + 1)])
def test_what_is_no_signature_is_alike_to_nothing(short):
    assert not are_alike(short, short)
    assert not are_alike(bytes(BYTES), short)
