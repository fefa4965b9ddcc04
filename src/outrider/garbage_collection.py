"""Keeps the garbage collector from looking at objects that live until the process ends."""

import gc
from typing import Final

YOUNG_OBJECTS: Final = 10_000  # before the garbage collector looks at them; Python's default is 700
IMPORTED_OBJECTS: Final = 20_000  # the same, while a process imports its code


def skip_startup_objects() -> None:
    """Call it once, at the end of the start: modules, routes and settings stay for the life of the process.

    A full collection looks at every object. An API process has 200,000 after its start, so a collection stops
    it for 100 ms. Objects that are created later are collected as usual, cycles too.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG_OBJECTS, *gc.get_threshold()[1:])  # reference counts free nearly everything


def collect_rarely() -> None:
    """Call it before the imports of a process: nearly all that they create stays."""
    gc.set_threshold(IMPORTED_OBJECTS, *gc.get_threshold()[1:])


def skip_all_objects() -> None:
    """Call it before a process ends, or is forked: to free each object takes a tenth of a short command.

    The files, sockets and locks of a process that ends are freed by the system.
    """
    gc.freeze()
