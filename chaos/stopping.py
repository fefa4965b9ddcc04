"""Ctrl-C and TERM: the run ends here and now, tidies up, and still tells what it has found."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

ENDINGS = (signal.SIGINT, signal.SIGTERM)


class Stopped(KeyboardInterrupt):
    """Somebody wants us to leave. Of its family, because event loops let that one through."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.exit_code = 128 + number


def stop_when_told() -> None:
    """From now on, in the main thread; only the first time, or tidying up would be cut short."""

    def stop(number: int, frame: FrameType | None) -> None:
        for ending in ENDINGS:
            signal.signal(ending, _is_known)
        raise Stopped(number)

    for ending in ENDINGS:
        signal.signal(ending, stop)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Who tells us to leave meanwhile is heard afterwards."""
    heard: list[int] = []
    before = {ending: signal.signal(ending, lambda number, frame: heard.append(number)) for ending in ENDINGS}
    try:
        yield
    finally:
        for ending, handler in before.items():
            signal.signal(ending, handler)
    if heard:
        signal.raise_signal(heard[0])


def _is_known(number: int, frame: FrameType | None) -> None:
    """Unlike SIG_IGN this is not handed down to programs that we start."""
