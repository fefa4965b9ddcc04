import pytest
from ada_url import join_url
from hypothesis import given
from hypothesis import strategies as st

from outrider.errors import InvalidUrl
from outrider.urls import resolve

# Mostly plain, so that what is put together without the parser meets what is not.
STARTS = st.sampled_from(["http://", "https://"]) | st.sampled_from(
    ["", "/", "//", "http:", "http:/", "https:///", "HTTP://", " http://", "ftp://"]
)
HOSTS = st.sampled_from(["h", "a.test", "h:81"]) | st.sampled_from(
    ["H", "0x7f.1", "1.2", "[::1]", "u@h", "u:p@h", "xn--", "h:80", "h:081", "h:99999", "h:", "a b"]
)
PIECES = st.sampled_from(["/", "/a", "/a.b", "/~a_-"]) | st.sampled_from(
    ["/.", "/..", "/.a", "/a..", "//", "\\", "?", "?a=1&b=%41+", "??", "#", "@", "\t", "%2e", "é"]
)
PATHS = st.lists(PIECES, min_size=1, max_size=3).map("".join)
ADDRESSES = st.builds("{}{}{}".format, STARTS, HOSTS, PATHS)


@pytest.mark.parametrize(
    ("url", "base", "address"),
    [
        pytest.param("/a/", "http://h/a", "http://h/a/", id="a trailing slash is another address"),
        pytest.param("?b&a&ref=1", "http://h/x", "http://h/x?b&a&ref=1", id="the query is left as it is"),
        pytest.param("/%7Ea", "http://h/", "http://h/%7Ea", id="escapes are left as they are"),
        pytest.param("http://h/a#b", None, "http://h/a", id="a fragment is never requested"),
    ],
)
def test_an_address_is_absolute_and_otherwise_as_written(url, base, address):
    assert resolve(url, base) == address


def test_an_address_must_be_crawlable():
    with pytest.raises(InvalidUrl, match="gopher is not http"):
        resolve("gopher://h/", "http://h/")


def by_the_standard(url, base):
    try:
        href = join_url(url, "") if base is None else join_url(base, url)
    except ValueError:
        return None
    address = href.partition("#")[0]
    is_ours = address.startswith(("http://", "https://")) and "@" not in address.split("/")[2]
    return address if is_ours else None


@given(url=st.one_of(ADDRESSES, PATHS), base=st.one_of(st.none(), ADDRESSES))
def test_a_plain_link_means_what_the_parser_would_say(url, base):
    try:
        address = resolve(url, base)
    except InvalidUrl:
        address = None

    assert address == by_the_standard(url, base)
