"""`outrider rebuild-visited`: the set of visited URLs in Redis, filled again from the database."""

from contextlib import nullcontext

from outrider.cli.database import open_database
from outrider.cli.options import Config, Data, Json
from outrider.cli.output import console, plain, print_json
from outrider.cli.running import load_settings, run
from outrider.crawl.rebuild_visited import rebuild_visited as rebuild
from outrider.crawl.shared_seen import SharedSeen
from outrider.db.line import Line
from outrider.errors import Misconfigured
from outrider.frontier.store import FrontierStore
from outrider.wording import count, plural


def rebuild_visited(json: Json = False, data: Data = None, config: Config = None) -> None:
    """Fill the set of visited URLs in Redis again, after Redis lost it.

    Workers share that set when OUTRIDER_REDIS_VISITED is on. Nothing is lost without it: each URL that Redis
    does not know costs one look-up in the database. Crawls may go on meanwhile.
    """
    loaded = load_settings(config, data=data)
    settings = loaded.settings
    if not settings.crawl.share_visited:
        raise Misconfigured("workers do not share visited URLs: set OUTRIDER_REDIS_VISITED to true first")

    async def work() -> int:
        async with open_database(loaded, may_create=False) as database:
            through_pooler = settings.database.through_pooler
            line = Line(database.dsn, application_name="outrider rebuild", through_pooler=through_pooler)
            shared = SharedSeen(settings.valkey, settings.crawl.share_visited_s)
            is_live = not json and console().is_terminal
            try:
                with console().status("Reading …") if is_live else nullcontext() as status:

                    def progress(filed: int) -> None:
                        if status is not None:
                            status.update(f"{count(filed)} URLs …")

                    return await rebuild(line, FrontierStore(settings.frontier), shared, progress)
            finally:
                await shared.close()
                await line.close()

    filed = run(work())
    if json:
        print_json({"urls": filed})
    else:
        console().print(plain(f"Redis knows {plural(filed, 'URL')} again."))
