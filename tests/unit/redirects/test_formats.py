"""Every format has the same redirects, and reads back what it wrote."""

import csv

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outrider.errors import InvalidInput
from outrider.redirects.formats.model import ExportedTable
from outrider.redirects.formats.registry import RedirectFormat, read_file, write_file
from outrider.redirects.model import GONE, Redirect
from outrider.redirects.target import read_target
from outrider.sites.paths import PathRules, read_path

letters = st.text(st.sampled_from("abz09-_.~ %?#\"'\\$;{}()|^ü日"), min_size=1, max_size=8)


def table_of(paths: list[str], rules: PathRules) -> ExportedTable:
    redirects = []
    for number, text in enumerate(paths):
        try:
            path = read_path("/" + text.replace("%", "%25").replace("?", "%3F").replace("#", "%23"), rules)
        except InvalidInput:
            continue
        to = [None, "/b", "/b?x=1", "/ü?q=ü#part", "https://other.test/x"][number % 5]
        target = None if to is None else read_target(to, rules, may_leave=True)
        redirects.append(Redirect(path, target, GONE if to is None else [301, 302][number % 2]))
    unique = {each.from_path: each for each in redirects}
    return ExportedTable("shop", "https://shop.test", ["shop.test"], rules, 7, list(unique.values()))


@pytest.mark.parametrize("form", RedirectFormat)
@given(paths=st.lists(letters, max_size=12), lowercase=st.booleans(), strip=st.booleans())
def test_what_is_written_is_read_back(form: RedirectFormat, paths, lowercase, strip):
    rules = PathRules(lowercase, strip)
    table = table_of(paths, rules)

    file = write_file(table, form)
    read = {}
    for row in read_file(file.text, form):
        target = None if row.to is None else read_target(row.to, rules, ["shop.test"], may_leave=True)
        read[read_path(row.from_path, rules)] = (target, row.status)

    kept = [each for each in table.redirects if each.from_path not in file.left_out]
    assert read == {
        each.from_path: (
            None if each.to is None else read_target(each.to, rules, may_leave=True),
            each.status,
        )
        for each in kept
    }


def test_formats_leave_out_only_what_they_cannot_express():
    table = table_of(["a", "b", "c", "d*"], PathRules())

    left_out = {form.value: list(write_file(table, form).left_out) for form in RedirectFormat}

    assert left_out == {
        "json": [],
        "csv": [],
        "nginx": [],
        "apache": [],
        "caddy": [],
        "netlify": ["/a", "/d*"],
        "cloudflare": ["/a"],
    }


def test_cloudflare_gets_what_its_documentation_allows():
    """No port and no query in a source, no source twice, and one query only."""
    redirects = [
        Redirect("/a", read_target("/b?x=1", PathRules())),
        Redirect("/größe", read_target("/c#part", PathRules())),
    ]
    table = ExportedTable(
        "shop", "https://shop.test", ["shop.test", "shop.test", "shop.test:8000"], PathRules(), 7, redirects
    )

    rows = list(csv.reader(write_file(table, RedirectFormat.CLOUDFLARE).text.splitlines()))

    assert [(row[0], row[1], row[3]) for row in rows] == [
        ("shop.test/a", "https://shop.test/b?x=1", "FALSE"),
        ("shop.test/a/", "https://shop.test/b?x=1", "FALSE"),
        ("shop.test/gr%C3%B6%C3%9Fe", "https://shop.test/c#part", "TRUE"),
        ("shop.test/gr%C3%B6%C3%9Fe/", "https://shop.test/c#part", "TRUE"),
    ]


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("json", "{"),
        ("json", '{"redirects": 5}'),
        ("json", '["x"]'),
        ("json", "[" * 100_000),
        ("csv", "from_path,to,status\n/a,/b,abc"),
        ("csv", '"' + "x" * 200_000),
        ("netlify", "/a /b yes"),
        ("netlify", "x" * 30_000),
        ("cloudflare", "only-one-cell"),
        ("nginx", "map $x $outrider_301 {\n" + "y" * 30_000),
    ],
)
def test_files_that_cannot_be_read_are_refused(form: str, text: str):
    with pytest.raises(InvalidInput):
        list(read_file(text, RedirectFormat(form)))


def test_directives_of_other_files_of_apache_are_read():
    lines = ["301 /a /b", "permanent /c https://x.test/", "/d /e", "gone /f"]
    text = "\n".join(f"Redirect {line}" for line in lines) + "\n# Redirect /x /y"

    assert [(row.from_path, row.to, row.status) for row in read_file(text, RedirectFormat.APACHE)] == [
        ("/a", "/b", 301),
        ("/c", "https://x.test/", 301),
        ("/d", "/e", 302),
        ("/f", None, 410),
    ]
