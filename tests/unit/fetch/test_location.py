"""Where a redirect points."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outrider.fetch.location import destination

BASE = "http://a.test/dir/page?q=1"


@pytest.mark.parametrize(
    ("location", "follow"),
    [
        ("http://b.test/x", "http://b.test/x"),
        ("//b.test/x", "http://b.test/x"),
        ("/x", "http://a.test/x"),
        ("x", "http://a.test/dir/x"),
        ("../x", "http://a.test/x"),
        ("?r=2", "http://a.test/dir/page?r=2"),
        ("/a b", "http://a.test/a%20b"),
        ("/café", "http://a.test/caf%C3%A9"),
        ("  /x  ", "http://a.test/x"),
        ("/x#part", "http://a.test/x"),
        ("HTTPS://B.TEST:443/x", "https://b.test/x"),
        ("http:\\\\b.test\\x", "http://b.test/x"),
    ],
)
def test_a_location_is_resolved_as_browsers_do(location, follow):
    assert destination(location, BASE).follow == follow


def test_what_to_request_keeps_the_servers_spelling_and_the_target_is_ours():
    found = destination("/docs/?utm_source=x", BASE)

    assert found.follow == "http://a.test/docs/?utm_source=x"
    assert found.target == "http://a.test/docs"


@pytest.mark.parametrize(
    ("location", "why"),
    [
        (None, "the redirect has no target"),
        ("", "the redirect has no target"),
        ("   ", "the redirect has no target"),
        ("javascript:alert(1)", "javascript is not http or https"),
        ("ftp://b.test/", "ftp is not http or https"),
        ("http://", "it is not a valid URL"),
        ("http://user:word@b.test/", "it carries credentials"),
    ],
)
def test_a_location_that_cannot_be_followed_says_why(location, why):
    assert destination(location, BASE) == (None, None, why)


@given(st.text())
def test_any_location_is_a_destination_or_a_reason(location):
    found = destination(location, BASE)

    assert (found.follow is None) == (found.why is not None) == (found.target is None)
