"""Interrupt a simulation: print a message, remove its data, and exit with 130 and not with 1."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from outrider.cli.output import say

_OTHERS = (signal.SIGTERM, signal.SIGHUP)  # by default they end the process without cleanup
_SHELLS_BASE = 128  # a shell adds the number of the signal


@contextmanager
def interruptible() -> Iterator[None]:
    """Inside, SIGTERM and SIGHUP do what Ctrl-C does; any of the three ends the command."""
    ended_by = signal.SIGINT

    def interrupt(number: int, frame: FrameType | None) -> None:
        nonlocal ended_by
        ended_by = signal.Signals(number)
        on_interrupt = signal.getsignal(signal.SIGINT)
        if not callable(on_interrupt):  # a background job of a shell ignores Ctrl-C
            raise KeyboardInterrupt
        on_interrupt(signal.SIGINT, frame)

    before = {
        number: signal.signal(number, interrupt)
        for number in _OTHERS
        if signal.getsignal(number) is not signal.SIG_IGN  # nohup ignores SIGHUP
    }
    try:
        yield
    except KeyboardInterrupt:
        say("interrupted: there is no report, because a report covers the whole time")
        raise SystemExit(_SHELLS_BASE + ended_by) from None
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
