"""`outrider run log`: replay, follow, filter, and clear sentences for what cannot be shown."""

from pathlib import Path

import pytest
from tests.support.command import outrider, outrider_here
from tests.support.site import Answer, Plan, Site


@pytest.fixture
async def crawled(database: str, tmp_path: Path):
    """Settings with a database in which a crawl of three pages has ended."""
    settings = {"OUTRIDER_DATABASE_URL": database, "OUTRIDER_DATA": str(tmp_path / "data")}
    answers = {"/missing": [Answer(status=404, body="no")]}
    with Site.start(tmp_path / "site", Plan(pages=3, answers=answers)) as site:
        ran = outrider("crawl", site.url, site.url + "missing", "--workers", "1", settings=settings)
    assert ran.code == 0, ran.err
    return settings


def test_the_log_of_a_crawl_is_shown_from_its_archive(crawled, tmp_path):
    ran = outrider("run", "log", "last", "--json", settings=crawled)

    assert ran.code == 0, ran.err
    lines = ran.lines
    assert (lines[0]["message"], lines[0]["position"]) == ("run started", "1-1")
    assert lines[-1]["message"] == "run completed: 3 pages, 1 given up"
    assert len({line["execution_id"] for line in lines}) == 1
    assert len(list((tmp_path / "data" / "logs").rglob("1.log.gz"))) == 1

    after = outrider_here("run", "log", "1", "--after", lines[1]["position"], "--json", settings=crawled)
    assert after.lines == lines[2:]
    followed = outrider_here("run", "log", "1", "--follow", "--last", "1", "--json", settings=crawled)
    assert followed.lines == lines[-1:]
    errors = outrider_here("run", "log", "1", "--level", "error", settings=crawled).out.splitlines()
    assert len(errors) == 1
    assert "given up: not_found" in errors[0]
    lifecycle = outrider_here("run", "log", "1", "--category", "lifecycle", settings=crawled)
    assert len(lifecycle.out.splitlines()) == 2

    ahead = outrider_here("run", "log", "1", "--after", "1-99", "--json", settings=crawled)
    assert ahead.lines == [{"reset": True, "position": "1-0"}, *lines]
    [archive] = (tmp_path / "data" / "logs").rglob("1.log.gz")
    archive.unlink()
    gone = outrider_here("run", "log", "1", settings=crawled)
    assert (gone.code, gone.out) == (0, "")
    assert gone.err == (
        f"outrider: the lines up to {lines[-1]['position']} are not here: "
        "their archive was deleted, or another machine has it\n"
    )

    wrong = {
        ("99",): "outrider: there is no run 99",
        ("x",): "outrider: 'x' is not the number of a run",
        ("1", "--after", "2-5"): "outrider: position 2-5 belongs to run 2, and not to run 1",
        ("1", "--after", "5"): "outrider: '5' is not a position in the log of a run",
    }
    for arguments, sentence in wrong.items():
        refused = outrider_here("run", "log", *arguments, settings=crawled)
        assert refused.err.startswith(sentence)
        assert refused.code == (1 if arguments == ("99",) else 2)
        assert len(refused.err.splitlines()) == 1
