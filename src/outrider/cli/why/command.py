"""`outrider why`: what happened to a URL, and what will."""

from datetime import UTC, datetime
from typing import Annotated, Any

import typer

from outrider.cli.database import open_database
from outrider.cli.options import Config, Data, Json
from outrider.cli.output import FAILED, print_json
from outrider.cli.running import load_settings, run
from outrider.cli.show.records import record
from outrider.cli.why.report import conclusion, next_time, show
from outrider.crawl.by_hand.explain import Explanation, explain
from outrider.urls import normalize, url_hash
from outrider.urls.typed import Step, address_of, steps_of


def why(
    url: Annotated[str, typer.Argument(metavar="URL", show_default=False)],
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """Explain what happened to a URL, and what will.

    How it was normalised, where it was seen, which robots.txt line decides, which delay its host gets, what
    happened each time, and when it is next. The exit code is 1 when the URL is not known here.
    """
    normalized = normalize(address_of(url))
    steps = steps_of(url)
    loaded = load_settings(config, data=data)
    settings = loaded.settings

    async def work() -> Explanation:
        async with open_database(loaded, may_create=False) as database, database.connection() as db:
            return await explain(db, normalized, depth_cap=settings.crawl.depth_cap, traps=settings.traps)

    answer = run(work())
    if json:
        print_json(as_json(url, steps, answer, datetime.now(UTC)))
    else:
        show(answer, steps, settings)
    if answer.known is None:
        raise typer.Exit(FAILED)


def as_json(given: str, steps: list[Step], answer: Explanation, now: datetime) -> dict[str, Any]:
    return record(answer) | {
        "given": given.encode("utf-8", "replace").decode(),
        "url_hash": url_hash(answer.url),
        "normalised_by": [record(step) for step in steps],
        "conclusion": conclusion(answer, now),
        "next": next_time(answer, now),
    }
