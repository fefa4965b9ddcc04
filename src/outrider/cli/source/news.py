"""`outrider source news`: list the latest articles."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated

import typer

from outrider.cli.options import Config, Data, Json
from outrider.cli.output import plain, print_json, show, table
from outrider.cli.running import load_settings
from outrider.cli.times import time_of
from outrider.cli.use_case import call
from outrider.services.as_json import as_json
from outrider.services.sources.lists import MOST_ARTICLES, latest_articles
from outrider.watch.news import LatestArticle
from outrider.wording import brief

_COLUMNS = ("age", "source", "found by", "after", "article")


def news(
    named: Annotated[
        str | None,
        typer.Argument(metavar="[SOURCE]", help="Only of this source. [default: all]", show_default=False),
    ] = None,
    since: Annotated[str, typer.Option(metavar="TIME|AGE", help="Only articles seen since then.")] = "7d",
    limit: Annotated[int, typer.Option(min=1, max=MOST_ARTICLES, help="Most articles to list.")] = 25,
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

    found = call(loaded, lambda db: latest_articles(db, named, earliest, limit))
    if json:
        print_json(as_json(found))
    else:
        _show(found.articles, now)


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
