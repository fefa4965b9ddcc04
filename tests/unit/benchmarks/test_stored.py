"""A crawl counts only where every page was kept as it is."""

import json
from dataclasses import replace

import pytest
from benchmarks.site import Site
from benchmarks.stored import Page, check_stored, stored
from tests.support.web import Web

ORIGINS = ["http://127.0.0.2:80", "http://127.0.0.3:80"]
HTML = '<title>any</title><body><h1>Page 0</h1>\n<p>One\ntwo.</p> <a href="/p/1">Next</a></body>'
HOME = Page("http://127.0.0.2:80/", "Page 0 of host 0", "Page 0 One two. Next", ["http://127.0.0.2:80/p/1"])
PAGES = [
    HOME,
    replace(HOME, url="http://127.0.0.2:80/p/1", title="Page 1 of host 0"),
    Page("http://127.0.0.3:80/", "Page 0 of host 1", "Page 0\nOne two.\nNext", ["/p/1"]),
    Page("http://127.0.0.3:80/p/1", "Page 1 of host 1", "anything", ["/"]),
]


@pytest.fixture
def check(tmp_path):
    """Against two hosts of two pages each; none is running."""
    for address in ("127.0.0.2", "127.0.0.3"):
        (tmp_path / address).mkdir()
        (tmp_path / address / "home").write_text(HTML)
    web = Web(tmp_path, 80, ORIGINS, 2, nginx=None)
    return lambda pages: check_stored(pages, web, Site(tmp_path, 80, ORIGINS, 2))


def test_all_pages_however_blanks_and_links_are_written_are_all_pages(check):
    check(PAGES)
    check([*PAGES, HOME])  # fetched twice


@pytest.mark.parametrize(
    ("kept", "wrong"),
    [
        ([], "0 of 4 pages were stored"),
        (PAGES[:3], "3 of 4 pages were stored"),
        ([replace(HOME, title="Page 1 of host 0")], "not stored as it is: 'Page 1 of host 0'"),
        ([replace(HOME, title=None)], "not stored as it is: None"),
        ([replace(PAGES[1], text="")], "/p/1 was not stored as it is"),
        ([replace(PAGES[1], links=[])], "/p/1 was not stored as it is"),
        ([replace(HOME, text="Page 0 One")], "another text or other links"),
        ([replace(HOME, links=["/p/2"])], "another text or other links"),
    ],
)
def test_a_page_that_was_not_kept_as_it_is_spoils_the_crawl(check, kept, wrong):
    with pytest.raises(RuntimeError, match=wrong):
        check(kept)


def test_lines_of_json_and_files_of_json_are_read(tmp_path):
    first, *others = ({name: getattr(page, name) for name in Page.__slots__} for page in PAGES)
    (tmp_path / "pages-0.jsonl").write_text("".join(json.dumps(each) + "\n" for each in others))
    dataset = tmp_path / "pages-1" / "datasets" / "default"
    dataset.mkdir(parents=True)
    (dataset / "000000001.json").write_text(json.dumps(first))
    (dataset / "__metadata__.json").write_text("{}")

    assert sorted(stored(tmp_path), key=lambda page: page.url) == PAGES
