"""Where the settings keep the logs of ended runs. Commands that read logs need nothing else of a worker."""

from functools import partial

from outrider.db.reconnecting import ReconnectingConnection
from outrider.object_store.file_store import FileStore
from outrider.object_store.model import ObjectStore
from outrider.run_logs.archive import CopyLines
from outrider.settings import Settings


def log_archive_of(settings: Settings) -> ObjectStore:
    """Where the logs of ended runs are kept."""
    if settings.run_logs.bucket is not None:
        from outrider.object_store.s3_store import S3Store  # only processes that use S3 import its library

        return S3Store(settings.s3, settings.run_logs.bucket)
    return FileStore(settings.database.data_dir.expanduser())


def log_copy_of(settings: Settings, connection: ReconnectingConnection) -> CopyLines | None:
    """Copies the log of a run to Redis; None if the settings do not ask for it."""
    if not settings.redis.run_logs:
        return None
    from outrider.run_logs.redis_stream import copy_once

    return partial(copy_once, connection, settings.redis)
