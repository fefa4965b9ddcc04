"""Plays two rounds at a time: mostly they wait, for hosts, leases and repairs."""

import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Generic, TypeVar

AT_ONCE = 2
_FORKED = get_context("fork")  # what is played need not be sent

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Played(Generic[T]):
    """What came of one of them; None when its process was killed."""

    name: str
    result: T | None
    took_s: float


@dataclass(frozen=True, slots=True)
class _Playing:
    name: str
    process: BaseProcess
    began: float


def side_by_side(plays: Iterable[tuple[str, Callable[[], T]]]) -> Iterator[Played[T]]:
    """Results as they come; the next is taken only when there is a place for it.

    Each has a process of its own, which is told to leave when we do, and tidies up.
    """
    coming, playing = iter(plays), dict[Connection, _Playing]()
    try:
        while True:
            for name, play in islice(coming, AT_ONCE - len(playing)):
                mine, theirs = _FORKED.Pipe(duplex=False)
                process = _FORKED.Process(target=_play, args=(play, theirs), name=name)
                process.start()
                theirs.close()
                playing[mine] = _Playing(name, process, time.monotonic())
            if not playing:
                return
            for done in wait(list(playing)):
                assert isinstance(done, Connection)
                yield _end(playing.pop(done), done)
    finally:
        for one in playing.values():
            one.process.terminate()
        for one in playing.values():
            one.process.join()


def _play(play: Callable[[], T], sink: Connection) -> None:
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    with suppress(KeyboardInterrupt):  # who started us says so
        sink.send(play())


def _end(one: _Playing, source: Connection) -> Played[T]:
    result = None
    with source, suppress(EOFError):
        result = source.recv()
    one.process.join()
    return Played(one.name, result, time.monotonic() - one.began)
