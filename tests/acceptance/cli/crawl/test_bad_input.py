"""What `outrider crawl` says to input it cannot use: one sentence, an exit code, no traceback."""

import asyncio

import asyncpg
import pytest
from tests.support.command import Ran, outrider, outrider_here
from tests.support.embedded import run_as_nobody
from tests.support.site import Answer, Plan, Site, redirect

from outrider.db.home import prepare

URL = "http://127.0.0.1:9/"  # the discard port: nothing listens there


def sentence(ran: Ran) -> str:
    """What a person is told, below the log lines of workers."""
    assert "Traceback" not in ran.out + ran.err
    told = [line for line in ran.err.splitlines() if line.startswith("outrider: ")]
    assert len(told) == 1
    return told[0]


@pytest.mark.parametrize(
    ("arguments", "settings", "told"),
    [
        (["not-a-url"], {}, "'not-a-url' cannot be crawled: it has no scheme"),
        (["file:///etc/passwd"], {}, "cannot be crawled: file is not http or https"),
        ([], {}, "give at least one URL"),
        ([URL, "--include", "("], {}, "the pattern '(' is not valid"),
        ([URL, "--workers", "-3"], {}, "--workers = '-3' cannot be used: the least is 0"),
        ([URL, "--delay", "fast"], {}, "--delay = 'fast' cannot be used"),
        ([URL], {"OUTRIDER_DELAY": "fast"}, "OUTRIDER_DELAY = 'fast' cannot be used"),
        ([URL], {"OUTRIDER_DELLAY": "1"}, "OUTRIDER_DELLAY is not a setting; did you mean OUTRIDER_DELAY?"),
        ([URL, "--config", "/there/is/none.toml"], {}, "/there/is/none.toml cannot be read"),
        ([URL, "--seeds", "/there/is/none.txt"], {}, "/there/is/none.txt cannot be read"),
        ([URL, "--contact", "me"], {}, "--contact = 'me' cannot be used: give an e-mail address"),
    ],
)
def test_wrong_usage_ends_with_2_before_anything_happens(arguments, settings, told, tmp_path):
    ran = outrider_here("crawl", *arguments, settings={"OUTRIDER_DATA": str(tmp_path / "data"), **settings})

    assert ran.code == 2
    assert told in sentence(ran)
    assert ran.out == ""
    assert not (tmp_path / "data").exists()


def test_the_exit_code_is_that_of_the_process(tmp_path):
    ran = outrider("crawl", "not-a-url", "--data", str(tmp_path / "data"))

    assert (ran.code, ran.out) == (2, "")
    assert "'not-a-url' cannot be crawled" in sentence(ran)


@pytest.mark.parametrize(
    ("url", "settings", "told"),
    [
        ("http://no-such-host.invalid/", {}, "its host name does not resolve"),
        (URL, {"OUTRIDER_ALLOW_PRIVATE": ""}, "OUTRIDER_ALLOW_PRIVATE=127.0.0.1/32 allows it"),
    ],
)
def test_a_seed_that_cannot_be_reached_ends_with_1_and_the_reason(url, settings, told, database):
    ran = outrider("crawl", url, "--workers", "1", settings={"OUTRIDER_DATABASE_URL": database, **settings})

    assert ran.code == 1
    assert told in sentence(ran)


@pytest.mark.parametrize(
    ("plan", "told"),
    [
        (Plan(robots=Answer(body="User-agent: *\nDisallow: /\n")), "its robots.txt disallows it"),
        (Plan(robots=Answer(status=500)), "its robots.txt cannot be read: the server answers 500"),
        (Plan(answers={"/": [Answer(status=404)]}), "there is no such page (404)"),
        (
            Plan(answers={"/": [Answer(body="%PDF", headers={"Content-Type": "application/pdf"})]}),
            "it is not an HTML page",
        ),
    ],
)
def test_a_seed_that_yields_nothing_ends_with_1_and_the_reason(plan, told, database, tmp_path):
    with Site.start(tmp_path, plan) as site:
        ran = outrider("crawl", site.url, "--workers", "1", settings={"OUTRIDER_DATABASE_URL": database})

    assert ran.code == 1
    assert told in sentence(ran)


def test_a_seed_that_leads_to_another_site_ends_with_1_and_names_the_command_for_that_site(
    database, tmp_path
):
    """RDC-18: the first request of the crawl tells, without a probe before it."""
    with Site.start(tmp_path, Plan(answers={"/": [redirect("http://127.0.0.99/")]})) as site:
        ran = outrider("crawl", site.url, "--workers", "1", settings={"OUTRIDER_DATABASE_URL": database})
        asked = [one.path for one in site.log()]

    assert ran.code == 1
    assert f"{site.url}: it redirects to http://127.0.0.99/, out of the scope of this crawl" in sentence(ran)
    assert "`outrider crawl http://127.0.0.99/` crawls that" in sentence(ran)
    assert asked == ["/robots.txt", "/"]


@pytest.mark.parametrize(
    ("make", "told"), [("file", "is not a directory"), ("nowhere", "cannot be used for data")]
)
def test_a_data_directory_that_cannot_be_used(make, told, tmp_path):
    place = tmp_path / "data" if make == "file" else "/proc/outrider"
    if make == "file":
        place.touch()
    ran = outrider_here("crawl", URL, "--data", str(place))

    assert ran.code == 1
    assert told in sentence(ran)


def test_a_data_directory_that_is_read_only(tmp_path):
    assert run_as_nobody(lambda: prepare(tmp_path)) == (
        f"Misconfigured: {tmp_path} is not writable for this user: choose another directory with --data"
    )


def test_a_database_of_a_newer_version_is_left_alone(database):
    async def upgrade() -> None:
        connection = await asyncpg.connect(database)
        await connection.execute(
            "INSERT INTO schema_migration (version, name, checksum) VALUES (999, 'x', 'x')"
        )
        await connection.close()

    asyncio.run(upgrade())
    ran = outrider_here("crawl", URL, settings={"OUTRIDER_DATABASE_URL": database})

    assert ran.code == 1
    assert "was written by a newer Outrider (schema 999" in sentence(ran)


def test_a_server_without_the_schema_is_told_what_to_run_and_never_migrated_silently(empty_database):
    settings = {"OUTRIDER_DATABASE_URL": empty_database}
    refused = outrider_here("crawl", URL, settings=settings)
    migrated = outrider_here("migrate", "--json", settings=settings)
    status = outrider_here("migrate", "--status", settings=settings)

    assert refused.code == 1
    assert "run `outrider migrate`" in sentence(refused)
    assert migrated.json["version"] == migrated.json["newest"]
    assert status.out.endswith("the newest.\n")


def test_a_database_that_is_not_there_is_one_sentence():
    url = "postgresql://user:secret@127.0.0.1:9/x"
    ran = outrider_here("crawl", URL, settings={"OUTRIDER_DATABASE_URL": url})

    assert ran.code == 1
    assert "nothing is listening at postgresql://***@127.0.0.1:9/x" in sentence(ran)
