import pytest

from outrider.errors import InvalidUrl
from outrider.urls import resolve


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
