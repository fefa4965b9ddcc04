"""How a worker process uses memory: set once, before the first page."""

import ctypes
from contextlib import suppress
from typing import Final

from outrider.garbage_collection import skip_startup_objects

# The numbers that malloc.h of the GNU C library gives the parameters of mallopt.
_TRIM_THRESHOLD: Final = -1
_TOP_PAD: Final = -2
_MMAP_THRESHOLD: Final = -3
_KEPT_BYTES: Final = 32 << 20
_STEP_BYTES: Final = 1 << 20


def tune_memory() -> None:
    """Avoid the system calls and garbage collections that every page costs with the defaults."""
    skip_startup_objects()
    _keep_freed_memory()


def _keep_freed_memory() -> None:
    """Make the C library keep the freed memory of a page's tree for the tree of the next page.

    By default it returns the memory and requests it again. That costs about 30 microseconds a page.
    """
    with suppress(OSError, AttributeError):  # other C libraries have no mallopt
        mallopt = ctypes.CDLL(None).mallopt
        mallopt(_TRIM_THRESHOLD, _KEPT_BYTES)
        mallopt(_TOP_PAD, _STEP_BYTES)
        mallopt(_MMAP_THRESHOLD, _KEPT_BYTES)
