"""Commands on a server elsewhere: the same text, the same JSON, the same exit code as on its database."""

import logging
import re
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
import structlog
from tests.support.command import Ran, outrider_here_meanwhile, outrider_meanwhile
from tests.support.loopback_api import ApiAddress, real_server
from tests.support.make import Operator

from outrider.crawl.seeds import start
from outrider.frontier.stats import StatsStore
from outrider.sources.policy import Policy
from outrider.worker_registry.store import WorkerRegistry

A = "http://a.test/"
NAME, FEED = "Das Blatt", "https://blatt.test/feed"
_MOVES = {"now", "silent_s", "database_bytes", "pages_per_s", "last_heartbeat_at", "beat_at", "updated_at"}

Run = Callable[..., Awaitable[Ran]]


@pytest.fixture
async def server(pool, database, tmp_path):
    before = structlog.get_config()
    # The server shares the standard output of the process with the command.
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    async with real_server(pool, database, tmp_path / "server") as address:
        yield address
    structlog.configure(**before)


@pytest.fixture
def here(database, tmp_path) -> Run:
    """A command on the database."""

    async def run(*arguments: str) -> Ran:
        settings = {"OUTRIDER_DATABASE_URL": database}
        return await outrider_here_meanwhile(*arguments, settings=settings)

    return run


@pytest.fixture
def there(server: ApiAddress, tmp_path) -> Run:
    """The same command on the server. It knows no database."""

    async def run(*arguments: str, settings: dict[str, str] | None = None) -> Ran:
        given = {"OUTRIDER_DATA": str(tmp_path / "nothing"), **server.settings, **(settings or {})}
        return await outrider_here_meanwhile(*arguments, settings=given)

    return run


@pytest.fixture
async def crawl(database) -> None:
    """A crawl that was begun, whose worker has stopped."""
    made = await Operator.enter(database)
    policy = Policy(seeds=(A,))
    await made.run(lambda db: start(db, policy, made.store, StatsStore()))
    await made.run(lambda db: WorkerRegistry().record_stop(db, made.store.worker_id))
    await made.connection.close()


@pytest.fixture
async def source(here: Run) -> None:
    """A source with its job."""
    added = await here("source", "add", "blatt.test", "--name", NAME, "--feed", FEED, "--label", "news")
    assert added.code == 0, added.err
    assert (await here("source", "sync")).code == 0


async def same(here: Run, there: Run, *arguments: str) -> Ran:
    """Both ways say the same, as text and as JSON."""
    for form in ((), ("--json",)):
        before, remote, after = (
            await here(*arguments, *form),
            await there(*arguments, *form),
            await here(*arguments, *form),
        )
        # Times such as `in 3 h` move on between two commands.
        said = [(each.code, _still(each, form), _timeless(each.err)) for each in (before, after)]
        assert (remote.code, _still(remote, form), _timeless(remote.err)) in said
    return remote


def _still(ran: Ran, form: tuple[str, ...]) -> Any:
    if form and ran.out:
        return _without(ran.json)
    return _timeless(re.sub(r"[\d.]+ [kMG]?B of database", "B of database", ran.out))


def _timeless(text: str) -> str:
    """Text without ages, and without the blanks and lines that make room for them."""
    text = re.sub(r"[\d.]+ ?(?:ms|s|min|m)\b", "some time", text)
    return re.sub("[ ─]+", " ", text)


def _without(value: Any) -> Any:
    """JSON without what changes from one moment to the next."""
    if isinstance(value, dict):
        return {name: _without(item) for name, item in value.items() if name not in _MOVES}
    return [_without(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize(
    "arguments",
    [
        ("source", "list"),
        ("source", "list", "--search", "blatt", "--enabled"),
        ("source", "show", NAME),
        ("source", "show", "blatt.test"),
        ("source", "show", "nobody"),
        ("job", "list"),
        ("job", "list", "--source", NAME, "--status", "scheduled", "--sort", "priority", "--descending"),
        ("job", "list", "--status", "upside-down"),
        ("job", "show", NAME),
        ("job", "show", "4711"),
        ("job", "history", NAME),
        ("job", "stats"),
        ("job", "stats", NAME),
        ("run", "list"),
        ("run", "list", "--source", A),
        ("run", "show", "last"),
        ("run", "show", "4711"),
        ("run", "show", "upside-down"),
        ("stats",),
        ("why", A),
        ("why", "https://unknown.test/x?b=1&a=2"),
        ("why", "no address"),
        ("workers",),
        ("scheduler", "status"),
        ("scheduler", "distribution"),
        ("scheduler", "rebalance", "--dry-run"),
    ],
    ids=" ".join,
)
async def test_a_command_says_the_same_from_elsewhere(arguments, here, there, source, crawl):
    await same(here, there, *arguments)


@pytest.mark.parametrize("verb", ["pause", "cancel", "remove"])
async def test_a_job_is_changed_from_elsewhere(verb, here, there, source):
    added = await there("job", "add", NAME, "--every", "6h", "--json")
    number = str(added.json["number"])
    assert added.json["interval_minutes"] == 6
    sure = ["--yes"] if verb == "remove" else []

    done = await there("job", verb, number, *sure)
    assert done.code == 0, done.err
    assert done.out.startswith(f"Job {number} of {NAME} is ")
    left = (await here("job", "list", "--json")).json["jobs"]
    states = {str(each["number"]): each["status"] for each in left}
    assert states.get(number) == {"pause": "paused", "cancel": "cancelled", "remove": None}[verb]

    again = await same(here, there, "job", verb, number, *sure)
    assert again.code == 1


async def test_a_paused_job_is_resumed_edited_and_run_from_elsewhere(here, there, source):
    assert (await there("job", "pause", NAME)).code == 0
    assert "is resumed: next run" in (await there("job", "resume", NAME)).out
    edited = await there("job", "edit", NAME, "--every", "2d", "--priority", "70", "--json")
    assert (edited.json["interval_type"], edited.json["priority"]) == ("days", 70)
    ran = await there("job", "run", NAME, "--json")
    assert ran.json["status"] == "pending"
    assert (await here("job", "show", NAME, "--json")).json["status"] == "pending"


async def test_many_jobs_are_changed_from_elsewhere(here, there, source):
    await there("job", "add", NAME, "--every", "6h")
    tried = await there("job", "pause", "--label", "news", "--dry-run")
    assert tried.out == "2 jobs would be paused.\n"
    assert (await there("job", "pause", "--label", "news")).out == "2 jobs paused.\n"
    refused = await same(here, there, "job", "pause", "--all")
    assert refused.code == 1
    assert [each["status"] for each in (await here("job", "list", "--json")).json["jobs"]] == ["paused"] * 2


async def test_a_source_is_added_edited_and_switched_from_elsewhere(here, there):
    given = ("source", "add", "neu.test", "--feed", "https://neu.test/rss", "--priority", "high")
    tried = await there(*given, "--dry-run", "--json")
    assert tried.json["dry_run"]
    assert not (await here("source", "list", "--json")).json["total"]

    added = await there(*given, "--delay", "10s", "--label", "a, b", "--json")
    assert added.code == 0, added.err
    local = await here("source", "add", "alt.test", "--feed", "https://alt.test/rss", "--json")
    assert added.json.keys() == local.json.keys()
    assert (added.json["added"], added.json["url"]) == (True, "https://neu.test/")
    shown = (await here("source", "show", "neu.test", "--json")).json
    assert (shown["policy"]["delay_s"], shown["labels"], shown["priority"]) == (10.0, ["a", "b"], 9)

    again = await same(here, there, *given)
    assert (again.code, "is watched already" in again.err) == (1, True)
    edit = ("source", "edit", "neu.test", "--delay", "default", "--label", "default", "--name", "Neu")
    assert (await there(*edit, "--dry-run")).out == (await here(*edit, "--dry-run")).out
    assert (await there(*edit)).out == "neu.test: name, labels, delay changed.\n".replace("neu.test:", "Neu:")
    assert (await there("source", "disable", "Neu", "--reason", "later")).out == "Neu is disabled.\n"
    assert not (await here("source", "show", "Neu", "--json")).json["enabled"]
    assert (await there("source", "enable", "Neu")).out == "Neu is enabled.\n"
    assert (await there("source", "remove", "Neu", "--yes", "--json")).json["state"] == "removed"
    assert (await here("source", "show", "Neu")).code == 1


async def test_a_run_is_cancelled_from_elsewhere(here, there, crawl):
    cancelled = await there("run", "cancel", "last", "--json")
    assert cancelled.json["state"] == "cancelled", cancelled.err
    again = await same(here, there, "run", "cancel", "last")
    assert "has ended already" in again.err


async def test_a_token_that_may_only_read_changes_nothing(here, there, server, source):
    reads = {"OUTRIDER_TOKEN": server.read_only}
    assert (await there("job", "list", settings=reads)).code == 0
    refused = await there("job", "pause", NAME, settings=reads)
    assert (refused.code, refused.err.count("\n")) == (1, 1)
    assert "read" in refused.err
    assert (await here("job", "show", NAME, "--json")).json["status"] == "scheduled"


@pytest.mark.parametrize("token", ["", "wrong"])
async def test_a_wrong_token_is_told_how_to_get_one(token, there):
    for command in ("stats", "workers"):
        refused = await there(command, settings={"OUTRIDER_TOKEN": token})
        assert (refused.code, refused.out, refused.err.count("\n")) == (1, "", 1)
        assert "`outrider token create NAME --user USER` on the server makes one" in refused.err
        assert "wrong" not in refused.err


async def test_a_server_without_the_path_is_one_sentence(there, server):
    old = await there("workers", settings={"OUTRIDER_URL": f"{server.url}/elsewhere"})
    assert (old.code, old.err.count("\n")) == (1, 1)
    assert "has another version of Outrider than this command" in old.err


async def test_a_server_that_is_down_is_one_sentence(there):
    down = await there("stats", settings={"OUTRIDER_URL": "http://127.0.0.1:1"})
    assert (down.code, down.err.count("\n")) == (1, 1)
    assert "the server at http://127.0.0.1:1 cannot be reached" in down.err


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("http://crawler.example.org", "must not travel unencrypted"),
        ("ftp://127.0.0.1", "give the address of a server"),
        ("https://ada:secret@example.org", "the token belongs in OUTRIDER_TOKEN"),
    ],
)
async def test_an_address_that_cannot_be_used_is_refused(url, why, there):
    refused = await there("stats", settings={"OUTRIDER_URL": url})
    assert (refused.code, why in refused.err) == (2, True)


@pytest.mark.parametrize(
    "arguments",
    [
        ("crawl", "http://127.0.0.1:1/", "--quiet"),
        ("watch",),
        ("migrate",),
        ("export", "pages", "-o", "-"),
        ("scheduler",),
        ("source", "news"),
        ("run", "log", "last"),
    ],
    ids=" ".join,
)
async def test_a_command_that_needs_the_database_says_so(arguments, tmp_path):
    settings = {"OUTRIDER_DATA": str(tmp_path / "nothing"), "OUTRIDER_URL": "http://127.0.0.1:1"}
    refused = await outrider_meanwhile(*arguments, settings=settings)
    assert (refused.code, refused.out) == (1, "")
    assert "this command does not work with a server elsewhere" in refused.err
    assert not (tmp_path / "nothing").exists()


ALERTS = """INSERT INTO alert (key, kind, severity, numbers, held_since, opened_at, last_seen_at, closed_at)
            VALUES ('no_workers', 'no_workers', 'critical', '{"hosts": 3}', now(), now() - interval '3 days',
                    now(), NULL),
                   ('stale_locks', 'stale_locks', 'warning', '{"locks": 4}', now(), now() - interval '4 days',
                    now(), now() - interval '3 days')"""


async def test_alerts_are_told_here_and_from_elsewhere(here, there, pool):
    assert (await same(here, there, "alerts")).code == 0
    assert (await here("alerts")).out.startswith("Nothing needs you: no alert is open.")
    await pool.execute(ALERTS)

    opened = await same(here, there, "alerts")
    both = await same(here, there, "alerts", "--all")
    of_kind = await same(here, there, "alerts", "--all", "--kind", "stale_locks")

    assert [each["kind"] for each in opened.json["alerts"]] == ["no_workers"]
    assert [each["is_open"] for each in both.json["alerts"]] == [True, False]
    assert of_kind.json["alerts"][0]["sentence"].startswith("4 runs were taken over")
    assert "No worker runs, and 3 hosts wait for one." in " ".join((await here("alerts")).out.split())
    assert "No alert matches." in (await here("alerts", "--kind", "dead_links")).out
    assert (await here("alerts", "--kind", "nothing")).code != 0
