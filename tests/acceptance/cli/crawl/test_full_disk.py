"""`outrider crawl` where its output cannot be written: pages are stored, and what is not said is counted."""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from chaos import disk
from chaos.disk import SmallDisk
from tests.support.command import outrider
from tests.support.full_disk import FULL
from tests.support.site import Plan, Site

PAGES = 12
CRAWL = ("--depth", "5", "--workers", "1")


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with Site.start(tmp_path / "site", Plan(pages=PAGES)) as site:
        yield site


@pytest.fixture
def settings(database: str) -> dict[str, str]:
    return {"OUTRIDER_DATABASE_URL": database, "OUTRIDER_LOG_LEVEL": "debug"}


def stored(file: Path) -> set[str]:
    return {json.loads(line)["url"] for line in file.read_text().splitlines()}


@pytest.mark.skipif(disk.why_not() is not None, reason=str(disk.why_not()))
def test_a_log_on_a_full_disk_loses_lines_and_the_crawl_says_how_many(site, settings, tmp_path):
    file = tmp_path / "pages.jsonl"
    with SmallDisk.mounted(tmp_path / "data", megabytes=1) as small:
        small.fill()
        ran = outrider(
            *("crawl", site.url, "--data", str(small.folder), "--output", str(file), "--quiet", *CRAWL),
            settings=settings,
        )
        log = small.folder / "log" / "crawl.log"
        written = log.read_text()

    told, _ = ran.err.splitlines()
    lost = re.fullmatch(rf"outrider: (\d+) log lines? could not be written to {log}", told)
    assert (ran.code, written, stored(file)) == (0, "", set(site.urls))
    assert lost is not None
    assert int(lost[1]) > 0


def test_a_log_on_standard_error_that_is_full_is_counted_in_the_summary(site, settings):
    with FULL.open("w") as full:
        ran = outrider("crawl", site.url, "--json", *CRAWL, settings=settings, stderr=full)

    *_, last = ran.lines
    assert (ran.code, last["ok"], last["pages"]) == (0, True, PAGES)
    assert last["log_lines_lost"] > 0


def test_how_a_crawl_goes_may_be_lost_and_its_last_word_may_not(site, settings, tmp_path):
    file = tmp_path / "pages.jsonl"
    with FULL.open("w") as full:
        ran = outrider("crawl", site.url, "--output", str(file), *CRAWL, settings=settings, stdout=full)

    assert (ran.code, stored(file)) == (1, set(site.urls))
    assert ran.err.splitlines()[-1] == "outrider: standard output cannot be written: No space left on device"
    assert "Traceback" not in ran.err


def test_a_crawl_whose_reader_left_goes_on_to_its_end_and_complains_to_nobody(site, settings, tmp_path):
    file = tmp_path / "pages.jsonl"
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as pipe:
        ran = outrider(
            *("crawl", site.url, "--output", str(file), *CRAWL),
            settings=settings | {"OUTRIDER_LOG_LEVEL": "info"},
            stdout=pipe,
        )

    assert (ran.code, stored(file)) == (1, set(site.urls))
    assert ran.err == f"{PAGES} pages in {file}\n"
