"""Use cases of jobs."""

import pytest

from outrider.errors import Conflict, NotFound
from outrider.events.outbox import work_through
from outrider.jobs.follow import Follower
from outrider.jobs.model import PausedBy, Status
from outrider.jobs.store import JobFilter
from outrider.services.as_json import as_json
from outrider.services.jobs import list_jobs, pause_job, resume_job, show_job
from outrider.services.paging import PageRequest
from outrider.sources.wishes import read_wishes
from outrider.watch.registry import Registry


@pytest.fixture
async def blatt(clerk):
    """A source with a job."""
    wishes = read_wishes({"url": "https://blatt.test/", "name": "blatt"}).checked()
    await clerk.run(lambda db: Registry(clerk.store).add(db, wishes))
    await work_through(clerk.line, Follower().handle)


async def test_a_job_is_listed_as_it_is_shown(clerk, blatt):
    listed = await clerk.run(lambda db: list_jobs(db, JobFilter(), PageRequest()))
    shown = await clerk.run(lambda db: show_job(db, "blatt"))

    assert (listed.items, listed.total) == ([shown], 1)
    names = list(as_json(shown))
    assert names[:3] == ["id", "source_name", "source_id"]
    assert names[-2:] == ["interval_minutes", "interval_type"]


async def test_a_job_is_paused_once_and_resumed_once(clerk, blatt):
    paused = await clerk.run(lambda db: pause_job(db, "blatt"))
    with pytest.raises(Conflict, match="the job is paused already"):
        await clerk.run(lambda db: pause_job(db, "blatt"))
    resumed = await clerk.run(lambda db: resume_job(db, "blatt"))

    assert (paused.status, paused.paused_by) == (Status.PAUSED, PausedBy.OPERATOR)
    assert (resumed.status, resumed.paused_by) == (Status.SCHEDULED, None)


async def test_the_job_of_an_unknown_source_is_not_found(clerk):
    with pytest.raises(NotFound):
        await clerk.run(lambda db: show_job(db, "nobody"))
