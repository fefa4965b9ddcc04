"""Use cases of robots.txt: read the stored files of a host, fetch them again, ask about a path."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import asyncpg

from outrider.crawl.politeness.single_fetch import Limits
from outrider.crawl.robots.refresh import refresh_robots
from outrider.errors import InvalidUrl, NotFound, Unavailable
from outrider.fetch import Failed, Fetcher, Outcome, Refused
from outrider.robots import AGENT
from outrider.robots.files import StoredFile, files_of_host
from outrider.services.fetch.polite import leased_fetch
from outrider.settings import Settings
from outrider.urls import host_id_of, normalize, origin_of
from outrider.urls.typed import address_of, host_named

MOST_ORIGINS = 5  # origins in one call; a host may have a robots.txt on every port


@dataclass(frozen=True, slots=True)
class RobotsQuestion:
    """A host, optionally one of its origins, optionally a path."""

    given: str
    host: str
    origin: str  # the one to fetch if none is stored
    is_exact: bool  # scheme or port were given: only this origin
    path: str | None


@dataclass(frozen=True, slots=True)
class RobotsAnswer:
    """One stored robots.txt, and what it says about the path of the question."""

    file: StoredFile
    path: str | None

    @property
    def is_allowed(self) -> bool:
        """Whether the path may be fetched; True without a path."""
        return self.path is None or self.file.rules.allows(AGENT, self.file.origin + self.path)

    def json_form(self) -> dict[str, Any]:
        file, rules = self.file, self.file.rules
        form: dict[str, Any] = {
            "origin": file.origin,
            "status": file.status,
            "fetched_at": file.fetched_at,
            "expires_at": file.expires_at,
            "group": rules.verdict(AGENT, f"{file.origin}/").group,
            "crawl_delay": rules.crawl_delay(AGENT),
            "sitemaps": rules.sitemaps,
            "body": file.body.decode("utf-8", "replace"),
        }
        if self.path is None:
            return form
        verdict = rules.verdict(AGENT, file.origin + self.path)
        return form | {
            "path": self.path,
            "allowed": verdict.allowed,
            "line": verdict.line,
            "rule": verdict.rule,
        }


@dataclass(frozen=True, slots=True)
class HostRobots:
    """The stored robots.txt files of a host: one for each scheme and port."""

    host: str
    files: Sequence[RobotsAnswer]


def question_of(host: str, path: str | None) -> RobotsQuestion:
    """Read `example.com`, `example.com:8080` or `https://example.com/a`, and a path."""
    name = host_named(host)
    try:
        origin = origin_of(normalize(address_of(host)))
    except InvalidUrl:
        origin = f"http://{name}"
    is_exact = "://" in host or not origin.endswith(name)
    if path is not None and not path.startswith("/"):
        path = f"/{path}"
    return RobotsQuestion(host, name, origin, is_exact, path)


async def read_robots(db: asyncpg.Connection, question: RobotsQuestion) -> Sequence[RobotsAnswer]:
    """The stored robots.txt files that the question is about; raises NotFound."""
    files = await _stored(db, question)
    if not files:
        raise NotFound(
            f"no robots.txt of {question.host} is stored; "
            f"`outrider robots {question.given} --fetch` fetches it"
        )
    return [RobotsAnswer(file, question.path) for file in files]


async def read_host_robots(db: asyncpg.Connection, host: str, path: str | None) -> HostRobots:
    """The stored files of a host, and what they say about a path; raises NotFound."""
    async with db.transaction():
        return HostRobots(host, await read_robots(db, question_of(host, path)))


async def fetch_robots(
    db: asyncpg.Connection, dsn: str, question: RobotsQuestion, settings: Settings
) -> Sequence[RobotsAnswer]:
    """Fetch the stored origins again, or the given one, and store the result.

    Raises Conflict at once for a leased host, and Unavailable for a file that cannot be read.
    """
    stored = await _stored(db, question)
    origins = [file.origin for file in stored][:MOST_ORIGINS] or [question.origin]
    limits = Limits(settings.fetch.max_redirects)
    fetcher = Fetcher(settings.fetch)
    try:
        async with leased_fetch(settings, dsn, fetcher, limits, patience_s=0.0) as fetch:
            for origin in origins:
                file = await refresh_robots(fetch, origin, settings.crawl.robots_ttl_s)
                if file.rules is None:
                    raise Unavailable(f"{file.url} cannot be read now: {_why(file.outcome)}")
    finally:
        await fetcher.close()
    return await read_robots(db, question)


async def _stored(db: asyncpg.Connection, question: RobotsQuestion) -> list[StoredFile]:
    files = await files_of_host(db, host_id_of(question.host))
    return [file for file in files if file.origin == question.origin or not question.is_exact]


def _why(outcome: Outcome) -> str:
    match outcome:
        case Failed(message=message) | Refused(message=message):
            return message
        case answered:
            return f"it answered {answered.exchange.status}"
