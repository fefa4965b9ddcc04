"""`outrider rebuild-visited`: rebuild the set of visited URLs in Redis from the database."""

from contextlib import nullcontext

from outrider.cli.database import open_database
from outrider.cli.options import Config, Data, Json
from outrider.cli.output import console, plain, print_json
from outrider.cli.running import load_settings, run
from outrider.db.reconnecting import ReconnectingConnection
from outrider.services.as_json import as_json
from outrider.services.urls.visited import RebuiltVisited, check_sharing, rebuild_visited_set
from outrider.wording import count, plural


def rebuild_visited(json: Json = False, data: Data = None, config: Config = None) -> None:
    """Rebuild the set of visited URLs in Redis, after Redis lost it.

    Workers share the set when OUTRIDER_REDIS_VISITED is on. Without the set nothing is lost: each URL that
    Redis does not know costs one look-up in the database. Crawls may run meanwhile.
    """
    loaded = load_settings(config, data=data)
    settings = loaded.settings
    check_sharing(settings.crawl)

    async def work() -> RebuiltVisited:
        async with open_database(loaded, may_create=False) as database:
            through_pooler = settings.database.through_pooler
            connection = ReconnectingConnection(
                database.dsn, application_name="outrider rebuild", through_pooler=through_pooler
            )
            is_live = not json and console().is_terminal
            try:
                with console().status("Reading …") if is_live else nullcontext() as status:

                    def progress(filed: int) -> None:
                        if status is not None:
                            status.update(f"{count(filed)} URLs …")

                    return await rebuild_visited_set(
                        connection, settings.crawl, settings.redis, settings.frontier, progress
                    )
            finally:
                await connection.close()

    done = run(work())
    if json:
        print_json(as_json(done))
    else:
        console().print(plain(f"Redis knows {plural(done.urls, 'URL')} again."))
