"""`outrider export` writes what was kept, to files and pipes."""

import csv
import os
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet


def test_pages_are_json_lines_on_standard_output(crawled):
    ran = crawled.run("export", "pages")

    pages = {page["url"]: page for page in ran.lines}
    assert ran.code == 0
    assert set(pages) == set(crawled.site.urls)
    assert pages[crawled.site.url]["title"] == "Page 0 of 127.0.0.2"
    assert "Page 0" in pages[crawled.site.url]["text"]


def test_pages_that_are_not_indexed_are_marked_and_can_be_left_out(crawled):
    everything = {page["url"]: page for page in crawled.run("export", "pages").lines}

    ran = crawled.run("export", "pages", "--only-indexed")

    assert ran.code == 0
    assert {page["url"] for page in ran.lines} == {
        url for url, page in everything.items() if page["indexed"] and not page["noindex"]
    }
    assert {page["unindexed"] for page in everything.values()} == {None, "quality_gate"}
    assert len({page["source"] for page in everything.values()}) == 1


def test_a_spreadsheet_gets_no_formula_from_a_page(crawled, tmp_path: Path):
    file = tmp_path / "pages.csv"

    ran = crawled.run("export", "pages", "--output", str(file))

    with file.open(newline="", encoding="utf-8") as opened:
        titles = {row["url"]: row["title"] for row in csv.DictReader(opened)}
    assert ran.code == 0
    assert titles[f"{crawled.origin}/page/1"] == "'=1+1"
    assert [path.name for path in tmp_path.iterdir()] == ["pages.csv"], "no temporary file stays behind"


def test_urls_are_a_parquet_file_by_its_name(crawled, tmp_path: Path):
    file = tmp_path / "urls.parquet"

    crawled.run("export", "urls", "--output", str(file))

    rows = {row["url"]: row for row in pyarrow.parquet.read_table(file).to_pylist()}
    assert rows[f"{crawled.origin}/lost"]["last_error"] == "not_found"
    assert rows[f"{crawled.origin}/moved"]["redirects_to"] == f"{crawled.origin}/page/5"
    assert rows[f"{crawled.origin}/private/x"]["status"] == "dead"


def test_links_are_normalised_and_keep_nofollow(crawled):
    links = crawled.run("export", "links", "--format", "jsonl").lines

    from_page = [link for link in links if link["source_url"] == f"{crawled.origin}/page/1"]
    assert [(link["target_url"], link["nofollow"], link["position"]) for link in from_page] == [
        (f"{crawled.origin}/private/x", False, 1),
        (f"{crawled.origin}/moved", True, 2),
        (f"{crawled.origin}/moved", False, 3),
        (f"{crawled.origin}/lost", False, 4),
    ]


def test_a_reader_that_leaves_early_is_no_error(crawled):
    command = f"{sys.executable} -m outrider export urls; echo $? >&2"
    environment = os.environ | {"OUTRIDER_DATABASE_URL": crawled.dsn}

    ended = subprocess.run(
        ["sh", "-c", f"( {command} ) | true"], env=environment, capture_output=True, text=True, check=False
    )

    assert ended.stderr == "0\n"


def test_a_file_that_cannot_be_written_is_one_sentence(crawled, tmp_path: Path):
    ran = crawled.run("export", "pages", "--output", str(tmp_path / "missing" / "pages.csv"))

    assert ran.code == 1
    assert "cannot be written: No such file or directory" in ran.err
    assert ran.err.count("\n") == 1


def test_a_source_that_is_not_there_is_one_sentence(crawled):
    ran = crawled.run("export", "pages", "--source", "nobody")

    assert ran.code == 1
    assert "there is no source 'nobody'" in ran.err
