"""Starts the database of a command while the command is still being imported."""

from concurrent.futures import Future
from threading import Thread

from outrider.db.embedded import EmbeddedPostgres
from outrider.settings import Settings

EarlyDatabase = Future[EmbeddedPostgres]


def start_database(settings: Settings) -> EarlyDatabase | None:
    """Start the embedded database in a thread; None where another server is used.

    An error is raised where the result is read. A command that ends before that waits for the start, so that
    the database has a keeper, which stops it.
    """
    if settings.database.url is not None or settings.remote.url is not None:
        return None
    started: EarlyDatabase = Future()
    embedded = EmbeddedPostgres(settings.database.data_dir, {})

    def start() -> None:
        try:
            embedded.start()
        except BaseException as error:
            started.set_exception(error)
        else:
            started.set_result(embedded)

    Thread(target=start, name="database start").start()
    return started
