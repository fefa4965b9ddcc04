"""Spools: memory while small, a nameless file beyond, nothing when dropped."""

import gc
import os
import warnings
import weakref
from pathlib import Path

import pytest

from outrider.fetch.spool import MEMORY_BYTES, Spool

SIZES = [
    pytest.param(0, id="nothing"),
    pytest.param(MEMORY_BYTES, id="as much as memory holds"),
    pytest.param(MEMORY_BYTES + 1, id="one byte more"),
    pytest.param(5 * MEMORY_BYTES, id="much more"),
]


def open_files():
    return len(list(Path("/dev/fd").iterdir()))


def spool_of(data, piece=50_000):
    spool = Spool()
    for at in range(0, len(data), piece):
        spool.write(data[at : at + piece])
    return spool


@pytest.mark.parametrize("size", SIZES)
def test_what_went_in_comes_out_each_time_it_is_opened(size):
    data = os.urandom(size)
    spool = spool_of(data)

    for _ in range(2):
        with spool.open() as reader:
            assert reader.read(3) == data[:3]
            assert reader.read() == data[3:]
    assert spool.size == size


def test_only_what_memory_does_not_hold_takes_a_file():
    before = open_files()

    small, large = spool_of(bytes(MEMORY_BYTES)), spool_of(bytes(MEMORY_BYTES + 1))

    assert (small.size, large.size) == (MEMORY_BYTES, MEMORY_BYTES + 1)
    assert open_files() == before + 1


@pytest.mark.parametrize("size", SIZES)
def test_a_closed_spool_cannot_be_opened_but_its_reader_stays_good(size):
    data = os.urandom(size)
    spool = spool_of(data)
    reader = spool.open()

    spool.close()

    with pytest.raises(ValueError, match="closed"):
        spool.open()
    with reader:
        assert reader.read() == data


def test_an_unused_spool_deletes_its_file_without_a_warning():
    before = open_files()
    spool = spool_of(bytes(2 * MEMORY_BYTES))
    gone = weakref.ref(spool)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        del spool
        gc.collect()

    assert gone() is None
    assert open_files() == before
