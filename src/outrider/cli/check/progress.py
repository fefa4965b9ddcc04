"""The progress of a check: one line of standard error that is drawn again and again."""

import sys
import time
from types import TracebackType
from typing import Self

from outrider.links.checked import CheckedLink
from outrider.links.evidence import Verdict
from outrider.wording import count

_EVERY_S = 0.1
_CLEAR = "\r\x1b[2K"


class ProgressLine:
    """Counts links; shown only on a terminal."""

    def __init__(self, *, is_shown: bool) -> None:
        self._is_shown = is_shown and sys.stderr.isatty()
        self._done = self._dead = self._expected = 0
        self._drawn_at = 0.0

    def expect(self, links: int) -> None:
        self._expected = max(self._expected, links)
        self._draw()

    def count(self, link: CheckedLink) -> None:
        self._done += 1
        self._dead += link.verdict is Verdict.DEAD
        self._draw()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._is_shown:
            print(_CLEAR, end="", file=sys.stderr, flush=True)

    def _draw(self) -> None:
        now = time.monotonic()
        if not self._is_shown or now - self._drawn_at < _EVERY_S:
            return
        self._drawn_at = now
        of_all = f" of {count(max(self._expected, self._done))}" if self._expected else ""
        text = f"{_CLEAR}checked {count(self._done)}{of_all} links, {count(self._dead)} dead"
        print(text, end="", file=sys.stderr, flush=True)
