"""Which faults are the moment's, and how often we try."""

import asyncio

import asyncpg
import pytest

from outrider.db.retry import TRY_TIMEOUT_S, WAITS_S, is_transient, retrying
from outrider.errors import Unavailable


@pytest.mark.parametrize(
    ("error", "transient"),
    [
        (asyncpg.DeadlockDetectedError(), True),
        (asyncpg.SerializationError(), True),
        (asyncpg.ConnectionDoesNotExistError(), True),
        (asyncpg.CannotConnectNowError(), True),
        (asyncpg.AdminShutdownError(), True),
        (asyncpg.CrashShutdownError(), True),
        (asyncpg.TooManyConnectionsError(), True),
        (asyncpg.DiskFullError(), True),
        (asyncpg.OutOfMemoryError(), True),
        (asyncpg.InterfaceError("connection is closed"), True),
        (ConnectionRefusedError(), True),
        (ConnectionResetError(), True),
        (FileNotFoundError("no socket"), True),
        (TimeoutError(), True),
        (asyncpg.QueryCanceledError(), False),
        (asyncpg.UniqueViolationError(), False),
        (asyncpg.UndefinedTableError(), False),
        (asyncpg.InterfaceError("pool is closed"), False),
        (asyncpg.InterfaceError("another operation is in progress"), False),
        (ValueError(), False),
    ],
)
def test_transient_errors_are_distinguished_from_errors_of_the_statement(error, transient):
    assert is_transient(error) is transient


def test_a_write_waits_100_200_and_400_ms_and_has_5_seconds():
    assert WAITS_S == (0.1, 0.2, 0.4)
    assert TRY_TIMEOUT_S == 5.0


@pytest.mark.parametrize("failures", [0, 1, 2, 3])
async def test_a_write_may_fail_three_times(failures):
    faults = [asyncpg.DeadlockDetectedError()] * failures

    async def write() -> str:
        if faults:
            raise faults.pop()
        return "written"

    assert await retrying(write, waits_s=(0, 0, 0)) == "written"


async def test_the_fourth_fault_is_given_up_on_with_a_sentence():
    tries = []

    async def write() -> None:
        tries.append(1)
        raise asyncpg.DeadlockDetectedError("deadlock detected")

    with pytest.raises(Unavailable, match="did not take a write in 4 tries: deadlock detected"):
        await retrying(write, waits_s=(0, 0, 0))
    assert len(tries) == 4


async def test_a_write_that_hangs_is_cut_off_and_tried_again():
    tries = []

    async def write() -> str:
        tries.append(1)
        if len(tries) == 1:
            await asyncio.Event().wait()
        return "written"

    assert await retrying(write, waits_s=(0,), timeout_s=0.01) == "written"


async def test_a_fault_of_ours_is_not_hidden():
    async def write() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await retrying(write, waits_s=(0,))
