"""What lychee and linkchecker publish as cases of links between files, in words of our own.

lychee: its fixtures of fragments, heading ids, local folders, base and schemes. linkchecker: its data of
anchors, encoded anchors, base, srcset, whitespace and mail addresses.
"""

from pathlib import Path

import pytest

from outrider.links.evidence import Verdict
from outrider.links.targets import targets_of
from outrider.services.sites.link_check import CheckRequest, read_files

PAGE = """\
# One heading

## A `code` part

## Twice

## Twice

## Fünf süße Äpfel

## Own name {#own-name}

## 🏛️ MIT 许可证

## an &mdash; dash

## a *b* c

<a id="explicit"></a><p name="not-an-anchor"></p>
"""
HTML = """\
<a name="named">x</a><p id="a|b (c—d)">y</p><p id="Case">z</p>
<svg><g id="inside-svg"></g></svg>
"""
OK = """
#one-heading #a-code-part #twice #twice-1 #own-name #explicit #ONE-HEADING # #top #fünf-süße-äpfel
#f%C3%BCnf-s%C3%BC%C3%9Fe-%C3%A4pfel #a-b-c other.html#named other.html#a|b%20(c—d) other.html#inside-svg
other.html#a%7Cb%20%28c%E2%80%94d%29 other.html#Case other.html?x=1#named zero.bin zero.bin# zero.bin#part
folder/ folder folder/# ./other.html folder/../other.html with%20blank.html #:~:text=one
other.html#named:~:text=x
""".split()  # noqa: SIM905 - a list of links is easier to read so
DEAD = """
#missing #twice-2 #not-an-anchor other.html#missing other.html#case missing.html missing.html#named
folder/missing.md other.html/x mailto:not-an-address
""".split()  # noqa: SIM905
NOT_CHECKED = """
tel:+49-30-1 mailto:ada@shop.test?subject=a%20b&cc=b@shop.test data:text/plain,x javascript:void(0)
slack://channel?id=1 https://example.com/x sms:1 about:blank
""".split()  # noqa: SIM905


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "folder").mkdir()
    (tmp_path / "other.html").write_text(HTML)
    (tmp_path / "with blank.html").write_text("x")
    (tmp_path / "zero.bin").write_bytes(b"\0" * 100)
    return tmp_path


def verdicts(folder: Path, text: str, name: str = "page.md") -> dict[str, Verdict]:
    (folder / name).write_text(text)
    found = read_files(CheckRequest(targets_of([str(folder / name)])))
    return {link.url: link.verdict for link in found.local}


@pytest.mark.parametrize(("links", "expected"), [(OK, Verdict.OK), (DEAD, Verdict.DEAD), (NOT_CHECKED, None)])
def test_links_of_markdown(folder: Path, links: list[str], expected: Verdict | None):
    text = PAGE + "\n\n".join(f"[x](<{link}>)" for link in links)

    found = verdicts(folder, text)

    assert found == ({} if expected is None else dict.fromkeys(links, expected))


@pytest.mark.parametrize(
    "text",
    [
        "```\n[x](none.md)\n```",
        "text\n\n    [x](none.md)\n\n    [x](none.md)\n",
        "`[x](none.md)`",
        "<!-- [x](none.md) -->",
        "\\[x](none.md)",
    ],
)
def test_text_that_is_no_link_is_none(folder: Path, text: str):
    assert verdicts(folder, text) == {}


@pytest.mark.parametrize(
    "text",
    [
        "- item\n\n    [x](none.md)",
        "1. item\n\n    more\n\n    [x](none.md)",
        "text\n    [x](none.md)",
        "\\\\[x](none.md)",
        "[\\[x\\]](none.md)",
    ],
)
def test_links_that_look_like_code_or_escaped_are_links(folder: Path, text: str):
    assert verdicts(folder, text) == {"none.md": Verdict.DEAD}


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ('<a href=" other.html\n">blanks</a>', {"other.html": Verdict.OK}),
        ("<a href=other.html>no quotes<a href='other.html'>not closed", {"other.html": Verdict.OK}),
        ('<base href="folder/"><a href="x.html">x</a>', {"folder/x.html": Verdict.DEAD}),
        ('<a href="other.html?a=1&amp;b=2#named">x</a>', {"other.html?a=1&b=2#named": Verdict.OK}),
        ('<link rel="preconnect" href="//cdn.shop.test"><link href=none.css>', {"none.css": Verdict.DEAD}),
        ("<!-- <a href=none.html> --><script>'<a href=none.html>'</script>", {}),
        ("<A HREF=none.html>upper case</A>", {"none.html": Verdict.DEAD}),
        ('<img srcset="other.html 1x, none.png 2x">', {"other.html": Verdict.OK, "none.png": Verdict.DEAD}),
        ('<a href="">empty</a><a href="#">top</a>', {"#": Verdict.OK}),
    ],
)
def test_links_of_html(folder: Path, html: str, expected: dict[str, Verdict]):
    assert verdicts(folder, html, "page.html") == expected
