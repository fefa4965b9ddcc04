import pytest

from outrider.urls import host_of, origin_of, path_of


@pytest.mark.parametrize(
    ("url", "host", "origin", "path"),
    [
        ("http://h/", "h", "http://h", "/"),
        ("https://h/", "h", "https://h", "/"),
        ("https://a.example:8443/b/c?d=e", "a.example", "https://a.example:8443", "/b/c?d=e"),
        ("http://127.0.0.1:80/x//y", "127.0.0.1", "http://127.0.0.1:80", "/x//y"),
        ("http://[::1]/", "[::1]", "http://[::1]", "/"),
        ("http://[::1]:81//", "[::1]", "http://[::1]:81", "//"),
        ("http://h/?u=http://x:1/", "h", "http://h", "/?u=http://x:1/"),
    ],
)
def test_the_parts_of_a_normalised_url(url, host, origin, path):
    assert (host_of(url), origin_of(url), path_of(url)) == (host, origin, path)
