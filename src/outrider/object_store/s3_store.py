"""Objects in a bucket of S3 or of a server that speaks its protocol, such as MinIO or SeaweedFS."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import BinaryIO, cast

import obstore
from obstore.exceptions import BaseError
from obstore.store import S3Store as Bucket

from outrider.errors import Unavailable
from outrider.object_store.model import key_parts
from outrider.object_store.options import S3Options

CONNECT = timedelta(seconds=5)
REQUEST = timedelta(seconds=30)
GIVE_UP = timedelta(seconds=60)  # no further attempt after this time
FIRST_WAIT = timedelta(seconds=1)
LONGEST_WAIT = timedelta(seconds=8)
RETRIES = 3
IN_MEMORY = 1 << 20  # bytes of an object that is read; the rest is in a temporary file


class S3Store:
    """Objects in a bucket. A failure is tried again, then raised as Unavailable."""

    def __init__(self, options: S3Options, bucket: str, *, retries: int = RETRIES) -> None:
        self._where = f"bucket {bucket!r} at {options.address or 'AWS'}"
        given = {
            "endpoint": options.address,
            "region": options.region,
            "access_key_id": options.access_key,
            "secret_access_key": options.secret_key,
        }
        self._bucket = Bucket(
            bucket,
            prefix=options.prefix or None,
            config={name: value for name, value in given.items() if value},  # type: ignore[arg-type]
            virtual_hosted_style_request=options.address is None,
            client_options={"allow_http": True, "connect_timeout": CONNECT, "timeout": REQUEST},
            retry_config={
                "max_retries": retries,
                "retry_timeout": GIVE_UP,
                "backoff": {"init_backoff": FIRST_WAIT, "max_backoff": LONGEST_WAIT, "base": 2},
            },
        )

    def put(self, key: str, source: Path | bytes) -> None:
        with self._failures("written", _checked(key)):
            obstore.put(self._bucket, key, source)

    def open(self, key: str) -> BinaryIO | None:
        with ExitStack() as opened, self._failures("read", _checked(key)):
            file = opened.enter_context(SpooledTemporaryFile(max_size=IN_MEMORY))
            try:
                for part in obstore.get(self._bucket, key):
                    file.write(part)
            except FileNotFoundError:
                return None
            file.seek(0)
            opened.pop_all()
            return cast(BinaryIO, file)

    def delete(self, key: str) -> None:
        with self._failures("deleted", _checked(key)):
            try:
                obstore.delete(self._bucket, key)
            except FileNotFoundError:
                return

    @contextmanager
    def _failures(self, what: str, key: str) -> Iterator[None]:
        """Raise errors of the library as Unavailable, without the pages of text that some carry."""
        try:
            yield
        except (BaseError, OSError) as error:
            why = " ".join(str(error).split())[:300]
            raise Unavailable(f"{key} could not be {what} in {self._where}: {why}") from error


def _checked(key: str) -> str:
    return "/".join(key_parts(key))
