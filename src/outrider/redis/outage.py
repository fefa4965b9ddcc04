"""Logs the start and the end of a Redis outage, each once."""

from outrider.errors import OutriderError
from outrider.logs import get_logger

log = get_logger()


class Outage:
    """The outage of one use of Redis; `waits` says what happens during it."""

    def __init__(self, waits: str) -> None:
        self._waits = waits
        self._is_on = False

    def begin(self, error: OutriderError) -> None:
        if not self._is_on:
            log.warning("redis away", error=str(error), meanwhile=self._waits)
        self._is_on = True

    def end(self) -> None:
        if self._is_on:
            log.info("redis is back")
        self._is_on = False
