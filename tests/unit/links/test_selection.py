"""Which links are checked."""

from pathlib import Path

import pytest

from outrider.errors import InvalidInput
from outrider.links.selection import is_bad_email_link, is_example, is_local_link, selection_of


@pytest.mark.parametrize(
    ("exclude", "include", "url", "wanted"),
    [
        ([], [], "http://a.test/", True),
        (["a\\.test"], [], "http://a.test/", False),
        (["^http://a"], [], "http://b.test/?http://a", True),
        ([], ["b\\.test"], "http://a.test/", False),
        (["test"], ["b\\.test"], "http://b.test/", True),
    ],
)
def test_patterns_of_links(exclude, include, url, wanted):
    assert selection_of(exclude, include, []).wants(url) is wanted


@pytest.mark.parametrize(("glob", "wanted"), [("*.html", False), ("docs/old/*", False), ("b.*", True)])
def test_globs_of_files(glob, wanted):
    assert selection_of([], [], [glob]).wants_file(Path("docs/old/a.html")) is wanted


def test_a_bad_pattern_is_one_sentence():
    with pytest.raises(InvalidInput, match="is no regular expression"):
        selection_of(["("], [], [])


@pytest.mark.parametrize(
    ("href", "bad"),
    [
        ("mailto:a@b.org", False),
        ("mailto:a@b.org,c@d.org?subject=x", False),
        ("mailto:?subject=x", False),
        ("mailto:nobody-here", True),
        ("tel:123", False),
        ("http://a", False),
    ],
)
def test_an_email_address_is_checked_by_its_form(href, bad):
    assert is_bad_email_link(href) is bad


@pytest.mark.parametrize("href", ["tel:1", "javascript:x", "data:x", "//cdn.test/a", "{{ url }}", "ftp://a"])
def test_what_is_no_file_is_not_looked_up(href):
    assert not is_local_link(href)


def test_hosts_for_examples_are_not_asked():
    assert is_example("https://www.example.com/a")
    assert is_example("http://shop.example/")
    assert not is_example("https://example.de/")
    assert not is_example("https://notexample.com/")
