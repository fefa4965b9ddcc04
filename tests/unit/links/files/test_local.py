"""Links between files."""

from pathlib import Path

import pytest

from outrider.links.evidence import Verdict
from outrider.links.files.local import LocalLinks
from outrider.links.reason import LinkReason

OK, DEAD, UNCERTAIN = Verdict.OK, Verdict.DEAD, Verdict.UNCERTAIN


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    (tmp_path / "sub").mkdir()
    (tmp_path / "empty").mkdir()
    (tmp_path / "a.md").write_text("# Title\n")
    (tmp_path / "with space.md").write_text("# x\n")
    (tmp_path / "b.html").write_text("<p id=here><a name=there>")
    (tmp_path / "sub" / "index.html").write_text("<p id=sub>")
    (tmp_path / "c.png").write_bytes(b"png")
    return tmp_path


@pytest.mark.parametrize(
    ("href", "verdict"),
    [
        ("b.html", OK),
        ("b.html#here", OK),
        ("b.html#there", OK),
        ("b.html#nowhere", DEAD),
        ("b.html?x=1#here", OK),
        ("b.html#:~:text=abc", OK),
        ("b.html#top", OK),
        ("#title", OK),
        ("#Title", OK),
        ("#nothing", DEAD),
        ("with%20space.md", OK),
        ("sub/", OK),
        ("sub#sub", OK),
        ("sub#nothing", DEAD),
        ("empty/", OK),
        ("c.png#anything", OK),
        ("missing.md", DEAD),
        ("../nowhere/at/all.md", DEAD),
        ("x" * 5000, DEAD),
        ("a%00b", DEAD),
        ("/b.html", OK),
        ("/missing.html", DEAD),
    ],
)
def test_links_of_a_file(docs, href, verdict):
    assert LocalLinks(docs).judge(docs / "a.md", href).verdict is verdict


def test_a_page_without_its_suffix_is_found_from_pages_only(docs):
    links = LocalLinks(docs)

    assert links.judge(docs / "sub" / "index.html", "../b").verdict is OK
    assert links.judge(docs / "a.md", "b").verdict is DEAD


def test_without_a_root_a_leading_slash_is_uncertain(docs):
    found = LocalLinks(None).judge(docs / "a.md", "/b.html")

    assert (found.verdict, found.reason) == (UNCERTAIN, LinkReason.ROOT_UNKNOWN)
