"""What only one scheduler of all does: the schedulers elect a leader for it (COO-06).

The duties are idempotent, and each of their transactions is refused once another scheduler leads (COO-07).
"""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial

from outrider.alerts.deliveries import AlertDeliveries
from outrider.alerts.watch import CHECK_EVERY_S, check_alerts
from outrider.backup.daily import daily_backup
from outrider.coordination.election import Election
from outrider.coordination.leader_tasks import LeaderTasks
from outrider.coordination.open_store import open_store
from outrider.coordination.terms import Term, fenced
from outrider.crawl.politeness.leased_fetch import LeasedFetch
from outrider.crawl.politeness.single_fetch import Limits
from outrider.db.reconnecting import ReconnectingConnection
from outrider.events.outbox import handle_waiting
from outrider.fetch import Fetcher
from outrider.frontier.counter_folding import FOLD_EVERY_S, keep_folded
from outrider.frontier.store import FrontierStore
from outrider.jobs.follow import Follower
from outrider.jobs.housekeeping import prune_runs
from outrider.jobs.reconcile import reconcile_each
from outrider.links.webhook.store import DeliveryStore
from outrider.log_archive import log_archive_of
from outrider.logs import get_logger
from outrider.machine import machine_id
from outrider.maintenance.leader_plan import PRUNE_RUNS, recorded
from outrider.metrics_history.sampling import Publish, sampling_tasks
from outrider.periodic_tasks import PeriodicTask
from outrider.redirects.pruning import PRUNE_EVERY_S as PRUNE_REDIRECTS_S
from outrider.redirects.pruning import prune_all as prune_redirects
from outrider.redirects.rendered_links import REGISTER_EVERY_S, register_all
from outrider.runs.ending import leave_blocked_hosts
from outrider.settings import Settings
from outrider.watch.discovery.domain_sums import SUM_EVERY_S, keep_sums
from outrider.webhooks.deliver import DELIVER_EVERY_S, deliver_due

log = get_logger()

ELECTION = "housekeeping"
PRUNE_S = 3600.0
RECONCILE_S = 3600.0
LEAVE_BLOCKED_S = 60.0
DELIVERY_S = 10.0  # for the answer of a webhook


async def lead(settings: Settings, dsn: str) -> None:
    """Take part in the election, and do the duties of the leader while leading, until cancelled."""
    connections = [
        ReconnectingConnection(
            dsn, application_name=f"outrider {name}", through_pooler=settings.database.through_pooler
        )
        for name in ("leader", "leader duties")
    ]
    votes, work = connections
    store = open_store(settings.coordination, settings.redis, votes)
    holder = f"{machine_id()}:{os.getpid()}"

    def tasks_for(term: Term) -> list[PeriodicTask]:
        return [*duties(settings, work, term), *backup_duty(settings, dsn, work, term)]

    election = Election(votes, store, ELECTION, holder=holder, options=settings.coordination)
    try:
        await LeaderTasks(election, tasks_for).run()
    finally:
        await asyncio.shield(store.close())
        for connection in connections:
            await connection.close()


def duties(settings: Settings, connection: ReconnectingConnection, term: Term) -> list[PeriodicTask]:
    """The tasks of the leader in one term."""
    remove_log = log_archive_of(settings).delete
    prune = partial(prune_runs, connection, partial(fenced, term=term), remove_log)

    async def repair_jobs() -> None:
        # Events first: the job of a new source runs soon, but a job that is repaired waits for its turn.
        await handle_waiting(connection, Follower(is_balanced=settings.jobs.balancing).handle)
        run = partial(connection.run, patience_s=10)
        await reconcile_each(run, is_balanced=settings.jobs.balancing)

    leave = partial(leave_blocked_hosts, frontier=FrontierStore(settings.frontier))
    leave_blocked = partial(connection.run, leave, patience_s=10)
    tasks = [
        *sampling_tasks(connection, partial(fenced, term=term), _publish_totals(settings)),
        PeriodicTask(PRUNE_RUNS, PRUNE_S, prune),
        PeriodicTask("make missing jobs", RECONCILE_S, repair_jobs),
        PeriodicTask("leave blocked hosts", LEAVE_BLOCKED_S, leave_blocked),
        PeriodicTask("prune redirects", PRUNE_REDIRECTS_S, partial(prune_redirects, connection)),
        PeriodicTask("register rendered links", REGISTER_EVERY_S, partial(register_all, connection)),
        PeriodicTask(
            "sum up discovered domains",
            SUM_EVERY_S,
            partial(keep_sums, connection, partial(fenced, term=term)),
        ),
        PeriodicTask(
            "fold counters", FOLD_EVERY_S, partial(keep_folded, connection, partial(fenced, term=term))
        ),
        PeriodicTask(
            "deliver link updates",
            DELIVER_EVERY_S,
            partial(deliver_due, connection, DeliveryStore(), partial(open_sender, settings, connection)),
            runs_beside=True,  # a webhook may take its time to answer
        ),
        PeriodicTask(
            "check alerts",
            CHECK_EVERY_S,
            partial(
                check_alerts,
                connection,
                partial(fenced, term=term),
                settings.alerts,
                settings.web.public_url,
                is_backed_up_daily=settings.has_daily_backup,
            ),
        ),
    ]
    if settings.alerts.webhook is not None:
        tasks.append(
            PeriodicTask(
                "deliver alerts",
                DELIVER_EVERY_S,
                partial(
                    deliver_due,
                    connection,
                    AlertDeliveries(settings.alerts),
                    partial(open_sender, settings, connection),
                ),
                runs_beside=True,
            )
        )
    return [recorded(task, connection, partial(fenced, term=term)) for task in tasks]


def backup_duty(
    settings: Settings, dsn: str, connection: ReconnectingConnection, term: Term
) -> list[PeriodicTask]:
    """The daily backup, if the settings ask for it. Its runs are in the history of maintenance."""
    if not settings.has_daily_backup:
        return []
    if settings.database.through_pooler:
        log.warning("no daily backup: it needs a direct connection and no pooler")
        return []
    fence = partial(fenced, term=term)
    return [daily_backup(connection, dsn, settings.backup_folder, settings.backup, fence)]


@asynccontextmanager
async def open_sender(settings: Settings, connection: ReconnectingConnection) -> AsyncIterator[LeasedFetch]:
    """What sends deliveries: the fetcher of the crawler, under the lease of each host."""
    fetcher = Fetcher(replace(settings.fetch, timeout_s=min(settings.fetch.timeout_s, DELIVERY_S)))
    try:
        frontier = FrontierStore(settings.frontier)
        limits = Limits(0, timeout_s=DELIVERY_S, follow_redirects=False)
        async with LeasedFetch(
            fetcher, connection, frontier, settings.fetch, settings.hosts, limits=limits, patience_s=5.0
        ) as fetch:
            yield fetch
    finally:
        await fetcher.close()


def _publish_totals(settings: Settings) -> Publish | None:
    if not settings.redis.totals:
        return None
    from outrider.metrics_history.redis_totals import RedisTotals  # importing redis is slow

    return RedisTotals(settings.redis).publish
