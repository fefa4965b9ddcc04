"""Who wrote it."""

import pytest

from outrider.feeds.markup import read_markup
from outrider.feeds.people import author_of, person_in


@pytest.mark.parametrize(
    ("text", "person"),
    [
        ("Ann Author", "Ann Author"),
        ("ann@site.example", "ann@site.example"),
        ("ann@site.example (Ann Author)", "Ann Author (ann@site.example)"),
        ("Ann Author <ann@site.example>", "Ann Author (ann@site.example)"),
        ('"Author, Ann" <ann@site.example>', "Author, Ann (ann@site.example)"),
        ("<ann@site.example>", "ann@site.example"),
        ("Author & Sons (Ltd)", "Author & Sons (Ltd)"),
        ("@ann", "@ann"),
        ("<Anonymous>", "<Anonymous>"),
        ("Ann <ann at site dot example>", "Ann <ann at site dot example>"),
        ("<a rel='author' href='mailto:ann@site.example'>Ann</a>", "Ann"),
        ("<<b a=1>script>Ann", "script>Ann"),
        ("Ann Author (ann@site.example)", "Ann Author (ann@site.example)"),
        ("Ann  Author,\n Bob", "Ann Author, Bob"),
        ("Ann (mailto:ann@site.example)", "Ann (mailto:ann@site.example)"),
        ("", None),
    ],
)
def test_a_person_in_one_line(text, person):
    assert person_in(text) == person


def test_a_name_ends_somewhere():
    assert len(person_in("a@" * 5_000)) <= 500
    assert len(person_in("a." * 5_000)) == 500


@pytest.mark.parametrize(
    ("source", "author"),
    [
        ("<author><name>Ann</name><email>ann@site.example</email></author>", "Ann (ann@site.example)"),
        ("<author><email>ann@site.example</email></author>", "ann@site.example"),
        ("<author><uri>https://ann.example/</uri></author>", "https://ann.example/"),
        ("<author xml:base='https://site.example/b/'><url>ann</url></author>", "https://site.example/b/ann"),
        ("<author><homepage>/ann</homepage></author>", "https://feed.example/ann"),
        ("<author><uri>tag:ann</uri></author>", "tag:ann"),
        ("<author>Ann <uri></uri></author>", "Ann"),
        ("<author><name/><email></email></author>", None),
        ("<author>Ann <ann@site.example></author>", "Ann (ann@site.example)"),
        ("<author><name>Ann</name></author><author><name>Bob</name></author>", "Ann, Bob"),
        ("<author><name>Ann</name></author><author><name>Ann</name></author>", "Ann"),
        ("<author>by <a href='/ann'>Ann</a></author>", "by Ann"),
        ("<author>&lt;a href='/ann'&gt;Ann&lt;/a&gt;</author>", "Ann"),
        ("<author><name>Ann&lt;script&gt;alert(1)&lt;/script&gt;</name></author>", "Annalert(1)"),
        ("<author>Ann &lt;img src=x onerror=alert(1)</author>", "Ann"),
        ("<dc:creator>Bob</dc:creator><author>Ann</author>", "Ann"),
        ("<author></author><dc:creator>Bob</dc:creator>", "Bob"),
        ("<title>x</title>", None),
    ],
)
def test_the_first_element_that_names_a_person_counts(source, author):
    assert (
        author_of(read_markup(source, most_entries=1), "https://feed.example/", "author", "dc:creator")
        == author
    )
