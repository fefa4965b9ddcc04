"""A place for embedded servers of a test's own, and an operator on a fresh database."""

import os
import shutil
import signal
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from tests.support.database import fast_place
from tests.support.embedded import within
from tests.support.make import Operator

from outrider.db import postmaster


@pytest.fixture
def data_dir() -> Iterator[Path]:
    """A data directory that the database's user can reach; a server left in it is stopped in the end."""
    root = Path(tempfile.mkdtemp(prefix="outrider-tests-dir-", dir=fast_place()))
    root.chmod(0o755)
    yield root
    for data in root.glob("**/database/data"):
        within(15, lambda data=data: postmaster.find(data) is None)
        if server := postmaster.find(data):
            os.kill(server.pid, signal.SIGQUIT)
    shutil.rmtree(root, ignore_errors=True)


@pytest.fixture
async def operator(database: str) -> AsyncIterator[Operator]:
    made = await Operator.enter(database)
    yield made
    await made.connection.close()
