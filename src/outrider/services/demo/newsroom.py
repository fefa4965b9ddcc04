"""Fills the database of the demo: a day of the simulated newsroom, then what an operator would have done."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

import asyncpg

from outrider.auth.audit import shell_actor
from outrider.auth.model import Role
from outrider.auth.passwords import Passwords
from outrider.demo.newsroom import STEP_S, newsroom_plan, newsroom_sites
from outrider.errors import Conflict, NotFound
from outrider.frontier.counter_name import CounterName
from outrider.frontier.store import FrontierStore
from outrider.metrics_history.figures import WorkerFigures, read_crawl_figures
from outrider.metrics_history.series import samples_of
from outrider.metrics_history.store import HistoryStore
from outrider.services.demo.owned_site import add_owned_site
from outrider.services.hosts.hosts import block_host, set_host_delay
from outrider.services.jobs.changes import JobVerb, change_job, command_for, force_run_job
from outrider.services.jobs.jobs import managed_job
from outrider.services.sources.sources import disable_source, source_id_named
from outrider.services.users.api_tokens import TokenRequest, create_api_token
from outrider.services.users.changes import set_password
from outrider.services.users.users import add_user
from outrider.settings import Settings
from outrider.simulate.run import simulate
from outrider.simulate.sites import Site
from outrider.sources.model import Mode
from outrider.sources.policy import PolicyChanges
from outrider.sources.source_changes import SourceChanges
from outrider.watch.source_service import SourceService

ADMIN, READER = "demo", "guest"
BLOCKED, DELAYED, PAUSED, DISABLED = "Football Pages", "Museum Notes", "Garden Diary", "Parish Letter"
RUN_NOW = ("Harbour Gazette", "Valley Herald", "River Chronicle", "Coastal Times", "Railway Journal")
COURIER = "Alderford Courier"


@dataclass(frozen=True, slots=True)
class DemoPasswords:
    """The passwords of the two users of the demo."""

    admin: str
    reader: str


def simulate_newsroom(dsn: str, settings: Settings, now: datetime | None = None) -> Sequence[Site]:
    """Crawl the newsroom for the last day, in virtual time; blocks for some seconds."""
    now = now or datetime.now(UTC)
    sites = newsroom_sites(now)
    samples = _Samples()
    simulate(newsroom_plan(now), settings, dsn, sites=sites, at_each_step=samples.add)
    return sites


class _Samples:
    """Stores the figures of each step, as the leader of the schedulers does every minute."""

    def __init__(self) -> None:
        self._store = HistoryStore()
        self._pages = 0

    async def add(self, db: asyncpg.Connection) -> None:
        if await self._store.has_sample(db):
            return
        figures = await read_crawl_figures(db)
        pages = figures.count(CounterName.PAGES)
        workers = WorkerFigures(live=2, pages_per_s=(pages - self._pages) / STEP_S)
        self._pages = pages
        await self._store.add(db, samples_of(replace(figures, workers=workers)))


async def finish_newsroom(
    db: asyncpg.Connection, settings: Settings, given: DemoPasswords, courier: str
) -> None:
    """Add the users, the demo site and what an operator would have changed. `courier` is its address."""
    await _add_people(db, given)
    await _add_courier(db, settings, courier)
    await add_owned_site(db, courier)
    hosts = {site.name: site.host for site in newsroom_sites(datetime.now(UTC))}
    await block_host(db, hosts[BLOCKED], "asked us by e-mail to stop until the summer", settings.hosts)
    await set_host_delay(db, hosts[DELAYED], 15_000, settings.hosts)
    await disable_source(db, DISABLED, "the parish has no letter in winter", settings.frontier)
    with suppress(Conflict):  # it runs at this moment
        await change_job(db, await _job_of(db, PAUSED), command_for(JobVerb.PAUSE, settings.jobs))
    for name in RUN_NOW:
        with suppress(Conflict):
            await force_run_job(db, await _job_of(db, name))


async def renew_passwords(db: asyncpg.Connection, given: DemoPasswords) -> bool:
    """Give the users of an earlier demo new passwords; False if the database is not one of the demo."""
    try:
        await set_password(db, _ACTOR, ADMIN, given.admin, Passwords())
        await set_password(db, _ACTOR, READER, given.reader, Passwords())
    except NotFound:
        return False
    return True


_ACTOR = shell_actor("demo")


async def _add_people(db: asyncpg.Connection, given: DemoPasswords) -> None:
    passwords = Passwords()
    await add_user(db, _ACTOR, ADMIN, given.admin, Role.ADMIN, passwords)
    await add_user(db, _ACTOR, READER, given.reader, Role.USER, passwords)
    now = datetime.now(UTC)
    wanted = TokenRequest("nightly export", ADMIN, read_only=True, expires_at=now + timedelta(days=90))
    await create_api_token(db, _ACTOR, wanted, now)


async def _add_courier(db: asyncpg.Connection, settings: Settings, address: str) -> None:
    changes = SourceChanges(
        name=COURIER,
        url=address,
        mode=Mode.BOTH,
        labels=("news", "demo"),
        policy=PolicyChanges({"poll_s": 3600.0, "delay_s": 0.5}),
    )
    async with db.transaction():
        await SourceService(FrontierStore(settings.frontier)).add(db, changes)


async def _job_of(db: asyncpg.Connection, source: str) -> str:
    source_id = await source_id_named(db, source)
    job = await managed_job(db, source_id) if source_id is not None else None
    if job is None:
        raise NotFound(f"the source {source} has no job")
    return str(job.job.job_id)
