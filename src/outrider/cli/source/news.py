"""`outrider source news`: list the latest articles."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated

import typer

from outrider.cli.database import open_database
from outrider.cli.options import Config, Data, Json
from outrider.cli.output import plain, print_json, show, table
from outrider.cli.running import load_settings, run
from outrider.cli.times import time_of
from outrider.services.as_json import as_json
from outrider.sources.store import SourceStore
from outrider.watch.news import LatestArticle, latest
from outrider.wording import brief

_COLUMNS = ("age", "source", "found by", "after", "article")


def news(
    named: Annotated[
        str | None,
        typer.Argument(metavar="[SOURCE]", help="Only of this source. [default: all]", show_default=False),
    ] = None,
    since: Annotated[str, typer.Option(metavar="TIME|AGE", help="Only articles seen since then.")] = "7d",
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="Most articles to list.")] = 25,
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """List the latest articles, and how soon each was seen.

    `outrider export pages` writes the text of many articles.
    """
    now = datetime.now(UTC)
    earliest = time_of(since, now)
    loaded = load_settings(config, data=data)

    async def work() -> list[LatestArticle]:
        async with open_database(loaded, may_create=False) as database, database.connection() as db:
            source_id = (await SourceStore().find(db, named)).source_id if named else None
            return await latest(db, source_id, earliest, limit)

    found = run(work())
    if json:
        print_json({"articles": [as_json(each) | {"way": each.way.value} for each in found]})
    else:
        _show(found, now)


def _show(found: Sequence[LatestArticle], now: datetime) -> None:
    if not found:
        show("No article was fetched in that time. `outrider watch` fetches them.")
        return
    show(table(_COLUMNS, (_row(each, now) for each in found), right=("age", "after"), whole=("found by",)))


def _row(each: LatestArticle, now: datetime) -> tuple[object, ...]:
    age_s = (now - each.appeared_at).total_seconds()
    return (
        brief(max(age_s, 0.0)),
        each.source,
        each.way.label,
        "" if each.lag_s is None else brief(each.lag_s),
        plain(each.title or "(no title)") + plain(f"\n{each.url}", "bright_black"),
    )
