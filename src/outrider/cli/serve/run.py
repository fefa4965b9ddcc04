"""Runs the platform in the foreground until it is told to stop."""

import asyncio
import os
import signal
import time
from collections.abc import Sequence
from socket import socket

from outrider import logs
from outrider.cli.contact import require_contact
from outrider.cli.database import Database, open_database
from outrider.cli.output import print_json, say
from outrider.cli.streams import as_data, in_words, progress
from outrider.errors import InvalidInput
from outrider.services.crawl.contact import missing_contact
from outrider.services.sources.watch import watched_addresses
from outrider.services.users.first_start import first_start_notice
from outrider.settings import Loaded, Settings
from outrider.web.listen import address_to_open, listen
from outrider.web.platform import Platform, ServePlan, ServerRole
from outrider.web.server_secrets import server_secrets
from outrider.wording import plural

SAME_S = 0.5
EARLY_S = 10.0


def plan_of(roles: str, settings: Settings) -> ServePlan:
    """The plan for the value of `--roles`; raises InvalidInput for a word that is no role."""
    words = [word.strip().lower() for word in roles.split(",") if word.strip()]
    known = [role.value for role in ServerRole]
    if not words or (unknown := [word for word in words if word not in known]):
        wrong = repr(unknown[0]) if words else "nothing"
        raise InvalidInput(f"--roles takes {', '.join(known)}, separated by commas, and not {wrong}")
    wanted = frozenset(ServerRole(word) for word in words)
    if not settings.jobs.enabled:
        wanted -= {ServerRole.SCHEDULER}
    if not wanted:
        raise InvalidInput("the scheduler is disabled by OUTRIDER_SCHEDULER, so nothing would run")
    return ServePlan(wanted, settings.crawl.workers or os.cpu_count() or 1)


async def serve_until_stopped(
    loaded: Loaded,
    plan: ServePlan,
    *,
    json: bool,
    notices: Sequence[str] = (),
    early: Platform | None = None,
) -> bool:
    """Serve until Ctrl-C or SIGTERM; False if a second one stopped it at once.

    `notices` are printed too. `early` is a platform whose API was started before.
    """
    settings = loaded.settings
    sockets = early.sockets if early is not None else listening_sockets(settings, plan)
    async with open_database(loaded) as database:
        notices = [*notices, *await _prepare(database, settings, plan, sockets)]
        logs.set_up(settings.logs, service="serve")
        platform = early or Platform(loaded, database.dsn, database.embedded, plan, sockets)
        stop = _Interrupts(platform)
        running = asyncio.create_task(platform.run(stop.asked))
        if early is not None:  # the overview would report a scheduler that has not started yet
            await platform.until_working(stop.asked, EARLY_S)
        _report(settings, plan, sockets, notices, json=json)
        await running
    for each in sockets:
        each.close()
    if json:
        print_json({"event": "stopped"}, progress(as_data))
    return not stop.is_second


def listening_sockets(settings: Settings, plan: ServePlan) -> list[socket]:
    """The sockets of the API; none without that role. Refuses a public address without real secrets."""
    if not plan.runs(ServerRole.API):
        return []
    sockets = listen(settings.web.host, settings.web.port)
    server_secrets(settings)
    return sockets


async def _prepare(
    database: Database, settings: Settings, plan: ServePlan, sockets: Sequence[socket]
) -> list[str]:
    """Check what workers need, and return what the user should read."""
    notices: list[str] = []
    async with database.connection() as db:
        if plan.runs(ServerRole.WORKER):
            require_contact(settings.fetch, await watched_addresses(db))
        if sockets:
            address = address_to_open(sockets, settings.web.host, settings.web.root_path)
            notice = await first_start_notice(db, settings, address)
            notices += [notice] if notice else []
    if settings.fetch.is_anonymous and plan.runs(ServerRole.WORKER):
        why = missing_contact(settings.fetch)
        notices.append(
            f"Nothing on the public web is fetched, because {why}: give --contact your e-mail address"
        )
    return notices


def _report(
    settings: Settings, plan: ServePlan, sockets: Sequence[socket], notices: Sequence[str], *, json: bool
) -> None:
    address = address_to_open(sockets, settings.web.host, settings.web.root_path) if sockets else None
    roles = [role.value for role in ServerRole if plan.runs(role)]
    if json:
        started = {"event": "serving", "address": address, "roles": roles, "workers": plan.workers}
        print_json({**started, "notices": list(notices)}, progress(as_data))
        return
    out = progress(in_words)
    for notice in notices:
        print(notice, file=out)
    running = [plural(plan.workers, "worker") if role == "worker" else role for role in roles]
    print(f"Running {', '.join(running)} (Ctrl-C stops it)", file=out)
    if address:
        print(f"Open {address}", file=out)
    out.flush()


class _Interrupts:
    """The first interrupt finishes, the second one stops at once.

    Some supervisors send a signal to the process and to its group: two within a moment are one.
    """

    def __init__(self, platform: Platform) -> None:
        self.asked = asyncio.Event()
        self.is_second = False
        self._platform = platform
        self._first_at = 0.0
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self._interrupt)

    def _interrupt(self) -> None:
        now = time.monotonic()
        if self.asked.is_set() and now - self._first_at > SAME_S:
            self.is_second = True
            say("stopping at once; nothing that was written is lost")
            self._platform.kill()
        if not self.asked.is_set():
            self._first_at = now
        self.asked.set()
