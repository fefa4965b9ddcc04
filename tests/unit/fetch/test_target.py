"""URLs as requests need them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outrider.fetch.target import Origin, read_target


@pytest.mark.parametrize(
    ("url", "origin", "target"),
    [
        ("http://a.test", Origin("http", "a.test", 80, "a.test"), "/"),
        ("http://a.test/", Origin("http", "a.test", 80, "a.test"), "/"),
        ("https://a.test/b?c=d", Origin("https", "a.test", 443, "a.test"), "/b?c=d"),
        ("http://a.test?c=d", Origin("http", "a.test", 80, "a.test"), "/?c=d"),
        ("http://a.test/b#part", Origin("http", "a.test", 80, "a.test"), "/b"),
        ("http://a.test:8080/", Origin("http", "a.test", 8080, "a.test:8080"), "/"),
        ("https://a.test:443/", Origin("https", "a.test", 443, "a.test"), "/"),
        ("http://A.Test/B", Origin("http", "a.test", 80, "a.test"), "/B"),
        ("http://[2001:DB8::1]:81/", Origin("http", "2001:db8::1", 81, "[2001:db8::1]:81"), "/"),
        ("http://127.1/", Origin("http", "127.0.0.1", 80, "127.0.0.1"), "/"),
        ("http://0x7f000001/", Origin("http", "127.0.0.1", 80, "127.0.0.1"), "/"),
        ("http://a.test/%2e%2E/b//c", Origin("http", "a.test", 80, "a.test"), "/%2e%2E/b//c"),
    ],
)
def test_a_url_is_a_server_and_what_to_ask_it_for(url, origin, target):
    assert read_target(url) == (origin, target)


@pytest.mark.parametrize(
    "url", ["http://a.test:0/", "http://a.test:65536/", "http://[::1/", "http://a%00b/", "http://%/"]
)
def test_what_names_no_server_is_nothing(url):
    assert read_target(url) is None


@given(st.text(max_size=40))
def test_nothing_that_could_break_out_of_a_request_line_gets_through(rest):
    found = read_target(f"http://a.test/{rest}")

    assert found is None or not {" ", "\r", "\n", "\t", "\x00"} & set(found[1] + found[0].authority)
