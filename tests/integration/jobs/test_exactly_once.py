"""Ten schedulers and PostgreSQL are killed at random: every job runs exactly once each time it is due."""

import pytest
from tests.support.database import this_run
from tests.support.job_storm import job_storm


@pytest.mark.timeout(180)
async def test_no_slot_is_run_twice_or_skipped_whoever_is_killed(tmp_path):
    root = this_run() / "exactly-once"

    result = await job_storm(root, tmp_path / "output", seed=14, shares=(1, 4))

    assert result.wrong == []
    assert result.runs == 1_250
    assert result.killed_schedulers > 3
    assert result.killed_servers == 2
