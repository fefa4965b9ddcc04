"""A round of jobs: ten schedulers share 1,000 jobs, and they and PostgreSQL are killed at random."""

import asyncio
from pathlib import Path

from chaos.rounds import Row
from tests.support.job_storm import job_storm

SHARES = (1, 2, 1, 3, 1)  # every job becomes due, then one in two, and so on


def of_jobs(folder: Path, seed: int) -> Row:
    """Lost is a due time at which a job did not run, double one at which it ran twice."""
    folder.mkdir(parents=True, exist_ok=True)
    storm = asyncio.run(job_storm(folder / "data", folder / "output", seed=seed, shares=SHARES))
    stuck = [row["job_id"] for row in storm.wrong]
    return Row(
        times=storm.killed_schedulers + storm.killed_servers,
        requests=0,
        pages=storm.runs,
        lost=storm.skipped,
        double=storm.double,
        early=0,
        pause_s=0.0,
        notes=[f"jobs that did not run as often as they were due: {stuck[:10]}"] if stuck else [],
    )
