"""The process that reads pages, one for all tests of this one: starting it takes longer than most of them."""

from concurrent.futures import ProcessPoolExecutor

from outrider.crawl.pages.reading import ReaderPool

_kept = ReaderPool()


class KeptReaders(ReaderPool):
    """Whoever closes them leaves the process to the next test."""

    def close(self) -> None:
        """It stays."""

    def _open(self) -> ProcessPoolExecutor:
        return _kept._open()
