"""Extracts main text and metadata, for sources that ask for them, in separate processes.

The extraction costs several times as much as the rest of a visit. A reader process that takes too
long or dies is replaced, and the page is kept with the result of the fast scan.
"""

import asyncio
import multiprocessing
import os
import threading
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial

from outrider.extract.recipe.model import Extracted, Recipe
from outrider.logs import get_logger

log = get_logger()

PATIENCE_S = 20.0


class ReaderPool:
    """A pool of reading processes, started with the first page that needs them."""

    def __init__(self, processes: int = 1, readability: bool | None = None) -> None:
        self._processes = processes
        self._readability = readability
        self._pool: ProcessPoolExecutor | None = None
        self._free = asyncio.Semaphore(processes)

    async def read(
        self,
        body: bytes,
        url: str,
        content_type: str | None,
        recipe: Recipe,
        *,
        is_article_url: bool | None = None,
    ) -> Extracted | None:
        """The full extraction of a page; None when it failed or took too long."""
        work = partial(_extract, body, url, content_type, recipe, self._readability, is_article_url)
        # The pool gets no more pages than it has processes: the timeout covers reading, not queueing.
        async with self._free:
            pool = self._open()
            try:
                async with asyncio.timeout(PATIENCE_S):
                    return await asyncio.get_running_loop().run_in_executor(pool, work)
            except (TimeoutError, BrokenProcessPool) as error:
                log.warning("page not read", url=url, error=type(error).__name__)
                if pool is self._pool:
                    self.close()
                return None

    def close(self) -> None:
        """End the processes; the next page starts new ones."""
        if self._pool is not None:
            pool, self._pool = self._pool, None
            for process in list(getattr(pool, "_processes", {}).values()):
                process.kill()
            pool.shutdown(wait=False, cancel_futures=True)

    def _open(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                self._processes, multiprocessing.get_context("spawn"), initializer=_end_with_worker
            )
        return self._pool


def _extract(
    body: bytes,
    url: str,
    content_type: str | None,
    recipe: Recipe,
    readability: bool | None,
    is_article_url: bool | None,
) -> Extracted:
    """Read a page, in a process of the pool: only there the code of the extraction is needed."""
    from outrider.extract.recipe.with_selectors import extract_with

    return extract_with(
        body,
        url,
        recipe.selectors,
        recipe.template,
        content_type=content_type,
        readability=readability,
        is_article_url=is_article_url,
    )


def _end_with_worker() -> None:
    """End this reader when its worker ends: the readers of a killed worker would wait for ever."""

    def wait_and_leave() -> None:
        if (worker := multiprocessing.parent_process()) is not None:
            worker.join()
            os._exit(1)

    threading.Thread(target=wait_and_leave, daemon=True).start()
