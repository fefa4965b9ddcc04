"""`outrider versions` and `outrider diff` show what a page said before."""

import asyncio

import asyncpg
import pytest
from tests.acceptance.cli.looking.conftest import Crawled
from tests.support.make import draft, keep_documents

from outrider.db.pool import use_json


@pytest.fixture
def changed(own_crawl: Crawled) -> Crawled:
    """A crawl in which one page has had three texts since."""

    async def change() -> None:
        connection = await asyncpg.connect(own_crawl.dsn)
        await use_json(connection)
        for text in ("First line.\nThe bridge opens on Monday.", "First line.\nThe bridge opens on Friday."):
            await keep_documents(connection, [draft(f"{own_crawl.origin}/page/5", text, title="T")])
        await connection.close()

    asyncio.run(change())
    return own_crawl


def test_versions_are_listed_for_people_and_for_programs(changed: Crawled):
    url = f"{changed.origin}/page/5"

    shown, told = changed.run("versions", url), changed.run("versions", url, "--json")

    assert (shown.code, told.code) == (0, 0)
    assert "last seen" in shown.out
    assert told.json["url"] == url
    assert [each["number"] for each in told.json["versions"]] == [3, 2, 1]
    assert told.json["versions"][0]["words"] == 7


def test_an_address_that_moved_shows_the_page_it_leads_to(changed: Crawled):
    ran = changed.run("versions", f"{changed.origin}/moved")

    assert ran.code == 0
    assert f"{changed.origin}/moved redirects to it." in ran.out


def test_the_text_of_a_version_goes_to_a_pipe_as_it_is(changed: Crawled):
    ran = changed.run("versions", f"{changed.origin}/page/5", "--text", "2")

    assert (ran.code, ran.out) == (0, "First line.\nThe bridge opens on Monday.\n")


def test_the_last_change_is_a_unified_diff(changed: Crawled):
    ran = changed.run("diff", f"{changed.origin}/page/5")

    head, tail = ran.out.splitlines()[:2], ran.out.splitlines()[2:]
    assert ran.code == 0
    assert [line.partition(", ")[0] for line in head] == [
        f"--- {changed.origin}/page/5 version 2",
        f"+++ {changed.origin}/page/5 version 3",
    ]
    assert tail == [
        "@@ -1,2 +1,2 @@",
        " First line.",
        "-The bridge opens on Monday.",
        "+The bridge opens on Friday.",
    ]


def test_programs_get_the_places_of_changed_words(changed: Crawled):
    told = changed.run("diff", f"{changed.origin}/page/5", "--json").json

    [hunk] = told["difference"]["hunks"]
    assert (told["older"]["number"], told["newer"]["number"]) == (2, 3)
    assert hunk["lines"][-1] == {"op": "+", "text": "The bridge opens on Friday.", "changed": [[20, 27]]}


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["versions", "/page/55"], 1, "is not known here; did you mean "),
        (["versions", "/page/5", "--text", "9"], 1, "has no version 9, only versions 1 to 3"),
        (["diff", "/page/4"], 1, "has one version"),
        (["diff", "/page/5", "--from", "7"], 1, "has no version 7"),
        (["diff", "/page/5", "--from", "2", "--to", "2"], 2, "cannot differ from itself"),
        (["diff", "/page/5", "--from", "0"], 2, "--from"),
    ],
)
def test_what_cannot_be_shown_is_one_sentence(
    changed: Crawled, arguments: list[str], code: int, sentence: str
):
    command, path, *options = arguments

    ran = changed.run(command, changed.origin + path, *options)

    assert (ran.code, ran.out) == (code, "")
    assert sentence in ran.err
    assert ran.err.count("\n") == 1
