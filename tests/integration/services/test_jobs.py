"""Use cases of jobs."""

import pytest

from outrider.errors import Conflict, NotFound
from outrider.events.outbox import work_through
from outrider.jobs.follow import Follower
from outrider.jobs.model import JobStatus, PausedBy
from outrider.jobs.store import JobFilter
from outrider.services.as_json import as_json
from outrider.services.jobs import list_jobs, pause_job, resume_job, show_job
from outrider.services.paging import PageRequest
from outrider.sources.source_changes import read_changes
from outrider.watch.source_service import SourceService


@pytest.fixture
async def blatt(operator):
    """A source with a job."""
    changes = read_changes({"url": "https://blatt.test/", "name": "blatt"}).checked()
    await operator.run(lambda db: SourceService(operator.store).add(db, changes))
    await work_through(operator.connection, Follower().handle)


async def test_a_job_is_listed_as_it_is_shown(operator, blatt):
    listed = await operator.run(lambda db: list_jobs(db, JobFilter(), PageRequest()))
    shown = await operator.run(lambda db: show_job(db, "blatt"))

    assert (listed.items, listed.total) == ([shown], 1)
    names = list(as_json(shown))
    assert names[:3] == ["id", "source_name", "source_id"]
    assert names[-2:] == ["interval_minutes", "interval_type"]


async def test_a_job_is_paused_once_and_resumed_once(operator, blatt):
    paused = await operator.run(lambda db: pause_job(db, "blatt"))
    with pytest.raises(Conflict, match="the job is paused already"):
        await operator.run(lambda db: pause_job(db, "blatt"))
    resumed = await operator.run(lambda db: resume_job(db, "blatt"))

    assert (paused.status, paused.paused_by) == (JobStatus.PAUSED, PausedBy.OPERATOR)
    assert (resumed.status, resumed.paused_by) == (JobStatus.SCHEDULED, None)


async def test_the_job_of_an_unknown_source_is_not_found(operator):
    with pytest.raises(NotFound):
        await operator.run(lambda db: show_job(db, "nobody"))
