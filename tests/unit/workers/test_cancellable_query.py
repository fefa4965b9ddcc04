"""Waiting for a database: for how long, and who hears of it."""

import asyncio

import pytest

from outrider.db.reconnecting import ReconnectingConnection
from outrider.errors import Unavailable
from outrider.workers import cancellable_query as query
from outrider.workers.cancellable_query import CancellableQuery


class Listener:
    """Asks on a line that was never opened, and counts how often silence was told."""

    def __init__(self) -> None:
        self.told = 0
        self.enough = asyncio.Event()
        self.query = CancellableQuery(
            ReconnectingConnection("postgresql://nobody.invalid/none", application_name="tests"), self._tell
        )

    def _tell(self) -> None:
        self.told += 1


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> Listener:
    """Speaks of silence at once, and gives no last chance."""
    monkeypatch.setattr(query, "SILENT_S", 0.0)
    monkeypatch.setattr(query, "LAST_CHANCE_S", 0.0)
    return Listener()


async def never() -> None:
    await asyncio.Event().wait()


async def test_an_answer_in_time_is_returned_without_a_report():
    listener = Listener()

    assert await listener.query.wait(asyncio.sleep(0, "here"), listener.enough) == "here"
    assert listener.told == 0


async def test_what_the_database_complains_about_is_passed_on():
    async def complain() -> None:
        raise Unavailable("no space is left")

    listener = Listener()
    with pytest.raises(Unavailable, match="no space is left"):
        await listener.query.wait(complain(), listener.enough)


async def test_an_answer_that_is_there_when_patience_ends_still_counts():
    listener = Listener()
    listener.enough.set()

    assert await listener.query.wait(asyncio.sleep(0, "here"), listener.enough) == "here"


async def test_an_outage_is_reported_once_until_there_is_an_answer(impatient):
    for _ in range(2):
        with pytest.raises(Unavailable):
            await impatient.query.wait(never(), impatient.enough, within_s=0.01)
    assert impatient.told == 1

    await impatient.query.wait(asyncio.sleep(0), impatient.enough)
    with pytest.raises(Unavailable):
        await impatient.query.wait(never(), impatient.enough, within_s=0.01)
    assert impatient.told == 2


async def test_what_is_known_to_take_long_is_not_called_silent(impatient):
    with pytest.raises(Unavailable):
        await impatient.query.wait(never(), impatient.enough, within_s=0.01, is_quick=False)

    assert impatient.told == 0


async def test_a_question_that_outlives_its_first_cancellation_is_ended_all_the_same(impatient):
    ends = []

    async def roll_back_first() -> None:
        try:
            await never()
        finally:
            try:
                await never()  # the server does not answer this either
            finally:
                ends.append("ended")

    impatient.enough.set()
    asked = asyncio.create_task(impatient.query.wait(roll_back_first(), impatient.enough))
    with pytest.raises(Unavailable, match="the same command resumes"):
        await asked
    assert ends == ["ended"]
