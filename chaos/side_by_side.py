"""Plays two rounds at a time: mostly they wait, for hosts, leases and repairs."""

import os
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
from threading import Thread
from types import FrameType
from typing import Generic, TypeVar

from chaos.stopping import ENDINGS

AT_ONCE = 2
_LOOK_EVERY_S = 0.5
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

    Each has a process of its own, which is told to leave when we do, however we do, and tidies up.
    """
    coming, playing = iter(plays), dict[Connection, _Playing]()
    try:
        while True:
            for name, play in islice(coming, AT_ONCE - len(playing)):
                mine, theirs = _FORKED.Pipe(duplex=False)
                process = _FORKED.Process(target=_play, args=(play, theirs, os.getpid()), name=name)
                # Who is told to leave in between would leave without the other, or not in its own way.
                signal.pthread_sigmask(signal.SIG_BLOCK, ENDINGS)
                process.start()
                playing[mine] = _Playing(name, process, time.monotonic())
                signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDINGS)
                theirs.close()
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


def _play(play: Callable[[], T], sink: Connection, parent: int) -> None:
    os.setsid()  # Ctrl-C in a terminal is for who started us, and what we start does not hear of it either
    for ending in ENDINGS:
        signal.signal(ending, _leave)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDINGS)
    Thread(target=_leave_with, args=(parent,), daemon=True).start()
    sink.send(play())


def _leave(number: int, frame: FrameType | None) -> None:
    for ending in ENDINGS:
        signal.signal(ending, lambda *_: None)  # told again, we would leave before all is tidy
    sys.exit(128 + number)


def _leave_with(parent: int) -> None:
    """Killed, it can tell us nothing."""
    while os.getppid() == parent:
        time.sleep(_LOOK_EVERY_S)
    os.kill(os.getpid(), signal.SIGTERM)


def _end(one: _Playing, source: Connection) -> Played[T]:
    result = None
    with source, suppress(EOFError):
        result = source.recv()
    one.process.join()
    return Played(one.name, result, time.monotonic() - one.began)
