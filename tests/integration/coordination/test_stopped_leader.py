"""A leader that is stopped past its lease and wakes up cannot write any more."""

import signal

import asyncpg
import pytest
from tests.support.coordination import Fleet, LeaderProcess

TTL_S = 3.0


@pytest.fixture
async def db(database: str):
    connection = await asyncpg.connect(database)
    await connection.execute(
        "CREATE TABLE duty_done (id bigint GENERATED ALWAYS AS IDENTITY, name text, fence bigint)"
    )
    yield connection
    await connection.close()


@pytest.mark.timeout(180)
async def test_a_leader_that_was_stopped_past_its_lease_is_refused_and_learns_its_loss(
    fleet: Fleet, db: asyncpg.Connection
):
    with LeaderProcess(fleet, "first", ttl_s=TTL_S) as first:
        fence = first.wait_for("gained")["fence"]
        first.wait_for("written")
        first.signal(signal.SIGSTOP)

        with LeaderProcess(fleet, "second", ttl_s=TTL_S) as second:
            assert second.wait_for("gained")["fence"] > fence
            second.wait_for("written")
            first.signal(signal.SIGCONT)

            told = {line["event"]: line for line in (first.wait_for("refused", "lost") for _ in range(2))}

            assert told["refused"]["fence"] == told["lost"]["fence"] == fence
            assert "another one leads" in told["refused"]["error"]
            second.wait_for("written")

    fences = [row["fence"] for row in await db.fetch("SELECT fence FROM duty_done ORDER BY id")]
    assert set(fences) > {fence}
    assert fences == sorted(fences), "no write of an old term came after one of a new term"
