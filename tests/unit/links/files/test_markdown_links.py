"""The links and the fragments of Markdown."""

import pytest

from outrider.links.files.markdown_links import markdown_links


def hrefs(text: str) -> list[str]:
    return [link.href for link in markdown_links(text)[0]]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("[a](b.md)", ["b.md"]),
        ('[a](b.md "title")', ["b.md"]),
        ("[a](<b c.md>)", ["b c.md"]),
        ("![i](i.png)", ["i.png"]),
        ("[![i](i.png)](page.md)", ["i.png", "page.md"]),
        ("[a](https://x.test/a_(b))", ["https://x.test/a_(b)"]),
        ("[a][ref]\n\n[ref]: c.md", ["c.md"]),
        ("[^1]: a note", []),
        ("<https://x.test/>", ["https://x.test/"]),
        ("see https://x.test/a, or (https://x.test/b).", ["https://x.test/a"]),
        ("see https://x.test/a_(b).", ["https://x.test/a_(b)"]),
        ("`[a](b.md)`", []),
        ("```\n[a](b.md)\n```\n[c](d.md)", ["d.md"]),
        ("~~~md\n[a](b.md)\n```\n~~~\n[c](d.md)", ["d.md"]),
        ("- ```\n  [a](b.md)\n  ```\n", []),
        ("<!-- [a](b.md) -->", []),
        ('<a href="b.md">x</a> <img src=i.png>', ["b.md", "i.png"]),
        (r"[a](b\_c.md)", ["b_c.md"]),
        ("[a]()", []),
        ("text ](" * 1000, []),
    ],
)
def test_links(text, found):
    assert hrefs(text) == found


def test_lines_are_those_of_the_file():
    text = "# T\n\n[a](1.md)\n```\ncode\n```\n<!--\n\n-->\n[b](2.md)\n"

    assert [(link.href, link.line) for link in markdown_links(text)[0]] == [("1.md", 3), ("2.md", 10)]


@pytest.mark.parametrize(
    ("heading", "fragment"),
    [
        ("# Hello World", "hello-world"),
        ("## What *it* does (now)!", "what-it-does-now"),
        ("### `code_name` here", "code_name-here"),
        ("# [link](x.md) text", "link-text"),
        ("# a_b and _c_", "a_b-and-c"),
        ("# Ünïcode — dash", "ünïcode--dash"),
        ("# Named {#my-id}", "my-id"),
        ("Underlined\n==========", "underlined"),
        ('<a id="here"></a>', "here"),
        ("# Twice\n# Twice", "twice-1"),
        ("## Closed ##", "closed"),
    ],
)
def test_fragments(heading, fragment):
    assert fragment in markdown_links(heading)[1]


def test_a_comment_in_code_is_no_heading():
    assert markdown_links("```\n# not a heading\n```")[1] == frozenset()
