"""How a simulation is broken off: with a word, with nothing left lying about, and not as if it were rude."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from outrider.cli.output import say

_OTHERS = (signal.SIGTERM, signal.SIGHUP)  # which would end us before we have tidied up
_SHELLS_BASE = 128  # to which a shell adds the signal's number


@contextmanager
def interruptible() -> Iterator[None]:
    """Inside, SIGTERM and SIGHUP do what Ctrl-C does; any of the three ends the command."""
    ended_by = signal.SIGINT

    def interrupt(number: int, frame: FrameType | None) -> None:
        nonlocal ended_by
        ended_by = signal.Signals(number)
        on_interrupt = signal.getsignal(signal.SIGINT)
        if not callable(on_interrupt):  # a shell's background job: Ctrl-C is not meant for it
            raise KeyboardInterrupt
        on_interrupt(signal.SIGINT, frame)

    before = {
        number: signal.signal(number, interrupt)
        for number in _OTHERS
        if signal.getsignal(number) is not signal.SIG_IGN  # nohup's wish
    }
    try:
        yield
    except KeyboardInterrupt:
        say("interrupted: there is no report, because one is about the whole time")
        raise SystemExit(_SHELLS_BASE + ended_by) from None
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
