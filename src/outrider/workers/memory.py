"""How a worker process uses memory: set once, before the first page."""

import ctypes
import gc
from contextlib import suppress
from typing import Final

YOUNG_OBJECTS: Final = 10_000  # before the garbage collector looks at them; Python's default is 700

# The numbers that malloc.h of the GNU C library gives the parameters of mallopt.
_TRIM_THRESHOLD: Final = -1
_TOP_PAD: Final = -2
_MMAP_THRESHOLD: Final = -3
_KEPT_BYTES: Final = 32 << 20
_STEP_BYTES: Final = 1 << 20


def tune_memory() -> None:
    """Avoid the system calls and garbage collections that every page costs with the defaults."""
    gc.collect()
    gc.freeze()  # the modules stay: no collection looks at them again
    gc.set_threshold(YOUNG_OBJECTS, *gc.get_threshold()[1:])  # reference counts free nearly all of a page
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
