"""`outrider robots`: show the robots.txt of a host, and whether it allows a path."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any

import asyncpg
import typer

from outrider.cli.contact import require_contact
from outrider.cli.database import Database, open_database
from outrider.cli.options import Config, Contact, Data, Json
from outrider.cli.output import FAILED, print_json
from outrider.cli.polite_fetch import leased_fetch
from outrider.cli.robots.report import show_file
from outrider.cli.running import load_settings, run
from outrider.crawl.politeness.single_fetch import Limits
from outrider.crawl.robots.refresh import refresh_robots
from outrider.errors import InvalidUrl, NotFound, Unavailable
from outrider.fetch import Failed, Fetcher, Outcome, Refused
from outrider.robots import AGENT
from outrider.robots.files import StoredFile, files_of_host
from outrider.settings import Loaded
from outrider.urls import host_id_of, normalize, origin_of
from outrider.urls.typed import address_of, host_named

MOST_ORIGINS = 5  # origins in one command; a host may have a robots.txt on every port


@dataclass(frozen=True, slots=True)
class Question:
    """The arguments of the command: a host, optionally one of its origins, optionally a path."""

    host: str
    origin: str  # the one to fetch if none is stored
    is_exact: bool  # scheme or port were given: only this origin
    path: str | None


def robots(
    host: Annotated[
        str, typer.Argument(metavar="HOST", help="A host, or a URL for one scheme and port of it.")
    ],
    path: Annotated[
        str | None,
        typer.Argument(metavar="[PATH]", help="Check whether this path may be fetched.", show_default=False),
    ] = None,
    fetch: Annotated[bool, typer.Option("--fetch", help="Fetch it now and store it.")] = False,
    contact: Contact = None,
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """Show a host's robots.txt and what it allows.

    With a PATH the exit code is 1 if the path may not be fetched.
    """
    question = question_of(host, path)
    loaded = load_settings(config, data=data, contact=contact)
    if fetch:
        require_contact(loaded.settings.fetch, [question.origin])

    async def work() -> list[StoredFile]:
        async with open_database(loaded, may_create=fetch) as database, database.connection() as db:
            if fetch:
                await _fetch(database, await _stored(db, question), question, loaded)
            return await _stored(db, question)

    files = run(work())
    if not files:
        raise NotFound(
            f"no robots.txt of {question.host} is stored; `outrider robots {host} --fetch` fetches it"
        )
    if json:
        print_json([as_json(file, question.path) for file in files])
    else:
        for file in files:
            show_file(file, question.path, datetime.now(UTC))
    if question.path and not all(file.rules.allows(AGENT, file.origin + question.path) for file in files):
        raise typer.Exit(FAILED)


def question_of(host: str, path: str | None) -> Question:
    """Read `example.com`, `example.com:8080` or `https://example.com/a`, and a path."""
    name = host_named(host)
    try:
        origin = origin_of(normalize(address_of(host)))
    except InvalidUrl:
        origin = f"http://{name}"
    is_exact = "://" in host or not origin.endswith(name)
    if path is not None and not path.startswith("/"):
        path = f"/{path}"
    return Question(name, origin, is_exact, path)


def as_json(file: StoredFile, path: str | None) -> dict[str, Any]:
    rules = file.rules
    answer: dict[str, Any] = {
        "origin": file.origin,
        "status": file.status,
        "fetched_at": file.fetched_at.isoformat(),
        "expires_at": file.expires_at.isoformat(),
        "group": rules.verdict(AGENT, f"{file.origin}/").group,
        "crawl_delay": rules.crawl_delay(AGENT),
        "sitemaps": list(rules.sitemaps),
        "body": file.body.decode("utf-8", "replace"),
    }
    if path is not None:
        verdict = rules.verdict(AGENT, file.origin + path)
        answer |= {"path": path, "allowed": verdict.allowed, "line": verdict.line, "rule": verdict.rule}
    return answer


async def _stored(db: asyncpg.Connection, question: Question) -> list[StoredFile]:
    files = await files_of_host(db, host_id_of(question.host))
    return [file for file in files if file.origin == question.origin or not question.is_exact]


async def _fetch(database: Database, stored: list[StoredFile], question: Question, loaded: Loaded) -> None:
    """Fetch the stored origins again, or the given one; raises Conflict at once for a leased host."""
    settings = loaded.settings
    origins = [file.origin for file in stored][:MOST_ORIGINS] or [question.origin]
    limits = Limits(settings.fetch.max_redirects)
    fetcher = Fetcher(settings.fetch)
    try:
        async with leased_fetch(loaded, database, fetcher, limits, patience_s=0.0) as fetch:
            for origin in origins:
                file = await refresh_robots(fetch, origin, settings.crawl.robots_ttl_s)
                if file.rules is None:
                    raise Unavailable(f"{file.url} cannot be read now: {_why(file.outcome)}")
    finally:
        await fetcher.close()


def _why(outcome: Outcome) -> str:
    match outcome:
        case Failed(message=message) | Refused(message=message):
            return message
        case answered:
            return f"it answered {answered.exchange.status}"
