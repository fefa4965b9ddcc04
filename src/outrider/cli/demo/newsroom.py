"""`outrider demo --serve`: the platform with a newsroom that has a day of history."""

import secrets
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from socket import socket

from outrider import logs
from outrider.cli.database import exists, open_database
from outrider.cli.output import say
from outrider.cli.running import run
from outrider.cli.serve.run import listening_sockets, plan_of, serve_until_stopped
from outrider.db.embedded import EmbeddedPostgres
from outrider.db.temporary import temporary_folder
from outrider.demo import demo_site
from outrider.demo.newsroom import newsroom_sites
from outrider.demo.newsroom_server import listen_for_proxy, newsroom_proxy
from outrider.errors import Conflict
from outrider.log_options import LogLevel
from outrider.services.demo.newsroom import (
    ADMIN,
    READER,
    DemoPasswords,
    finish_newsroom,
    renew_passwords,
    simulate_newsroom,
)
from outrider.settings import Loaded
from outrider.web.platform import Platform, ServePlan

SITE_PORT = 8061  # the same at every start, because the address of the demo site is kept with --data
_UNSAFE = {"fsync": "off", "full_page_writes": "off", "synchronous_commit": "off"}

Load = Callable[[Path, str | None], Loaded]  # the settings for a folder and the address of a proxy


def serve_newsroom(load: Load, data: Path | None, *, json: bool) -> bool:
    """Fill a new database, then serve until interrupted; False if a second interrupt stopped it at once."""
    with ExitStack() as stack:
        folder = data or stack.enter_context(temporary_folder("demo"))
        is_new = not exists(folder)
        # Kept until the end: the server of the platform is the one that was filled.
        server = stack.enter_context(EmbeddedPostgres(folder, _UNSAFE if data is None else {}))
        listener, proxy = listen_for_proxy()
        stack.enter_context(listener)
        loaded = load(folder, proxy)
        plan = plan_of("api,scheduler,worker", loaded.settings)
        # The API imports its code while this process simulates. It needs no schema before its first request.
        platform = Platform(loaded, server.dsn, server, plan, listening_sockets(loaded.settings, plan))
        stack.callback(platform.kill)
        platform.start_early()
        if is_new:
            say("Simulating a day of the newsroom, which takes some seconds")
            settings = load(folder, None).settings
            logs.set_up(
                replace(settings.logs, level=LogLevel.ERROR), service="demo"
            )  # simulated failures are no news
            simulate_newsroom(server.dsn, settings)
        return run(_serve(loaded, platform, plan, listener, is_new, json=json))


async def _serve(
    loaded: Loaded, platform: Platform, plan: ServePlan, listener: socket, is_new: bool, *, json: bool
) -> bool:
    passwords = DemoPasswords(secrets.token_urlsafe(9), secrets.token_urlsafe(9))
    sites = newsroom_sites(datetime.now(UTC))
    async with demo_site(SITE_PORT, or_free=True) as courier, newsroom_proxy(sites, courier, listener):
        async with open_database(loaded) as database, database.connection() as db:
            if is_new:
                await finish_newsroom(db, loaded.settings, passwords, courier.url)
            elif not await renew_passwords(db, passwords):
                folder = loaded.settings.database.data_dir
                raise Conflict(f"{folder} holds a database that is not a demo: choose another directory")
        notices = [
            f"Sign in as {ADMIN} with the password {passwords.admin}",
            f"or as {READER}, who may only look, with the password {passwords.reader}",
        ]
        return await serve_until_stopped(loaded, plan, json=json, notices=notices, early=platform)
