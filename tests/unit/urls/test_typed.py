"""The steps of a normalisation, rule by rule."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outrider.errors import InvalidUrl
from outrider.urls import normalize
from outrider.urls.typed import address_of, host_named, steps_of


@pytest.mark.parametrize(
    ("given_url", "rules"),
    [
        pytest.param("https://example.com/a", [], id="a normalised address was changed by nothing"),
        pytest.param(
            "HTTPS://Example.COM:443/a/../b#top", ["URL standard"], id="case, port, dots and fragment"
        ),
        pytest.param("https://example.com/%7ea", ["percent escapes"], id="escapes"),
        pytest.param(
            "https://example.com/a?b=1&utm_source=x&gclid=2",
            ["tracking parameters dropped: utm_source, gclid"],
            id="tracking parameters by name",
        ),
        pytest.param("https://example.com/a?b=1&a=2", ["query sorted by name"], id="order of the query"),
        pytest.param("https://example.com/a/", ["closing slash"], id="closing slash"),
        pytest.param("example.com/a", ["scheme guessed"], id="a scheme that was not written"),
    ],
)
def test_every_rule_that_changed_something_is_named(given_url, rules):
    assert [step.rule for step in steps_of(given_url)] == rules


@given(
    st.builds(
        "http{}://{}.test/{}?{}".format,
        st.sampled_from(["", "s"]),
        st.from_regex(r"[A-Za-z]{1,8}", fullmatch=True),
        st.text("abc/.%7e~", max_size=12),
        st.text("ab=&%4uutm_", max_size=20),
    )
)
def test_the_last_step_is_what_the_frontier_calls_it(url):
    steps = steps_of(url)

    assert (steps[-1].address if steps else url) == normalize(url)


def test_an_address_is_taken_as_it_is_written():
    assert address_of("https://example.com/docs/?ref=1") == "https://example.com/docs/?ref=1"


@pytest.mark.parametrize("text", ["not-a-url", "file:///etc/passwd", "", "javascript:alert(1)"])
def test_what_is_no_web_address_is_refused(text):
    with pytest.raises(InvalidUrl):
        address_of(text)


@pytest.mark.parametrize(
    ("text", "host"),
    [
        ("example.com", "example.com"),
        ("Example.COM:8080", "example.com"),
        ("https://example.com/a?b", "example.com"),
        ("127.0.0.2", "127.0.0.2"),
        ("[::1]:80", "[::1]"),
        ("bücher.example", "xn--bcher-kva.example"),
    ],
)
def test_a_host_is_found_in_whatever_names_it(text, host):
    assert host_named(text) == host
