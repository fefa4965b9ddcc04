"""The addresses of the listener for hubs, as people write them."""

import pytest

from outrider.feeds.callback import ListenAddress, listen_address, public_address


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("127.0.0.1:8061", ListenAddress("127.0.0.1", 8061)),
        (" localhost:0 ", ListenAddress("localhost", 0)),
        ("[::1]:65535", ListenAddress("::1", 65535)),
    ],
)
def test_where_to_listen_is_a_host_and_a_port(written, read):
    assert listen_address(written) == read
    assert str(read) == written.strip()


@pytest.mark.parametrize(
    "written",
    ["", "8061", ":8061", "127.0.0.1", "127.0.0.1:", "::1:8061", "a:65536", "a:-1", "a:٣", "a:" + "9" * 5000],
)
def test_anything_else_is_refused_with_a_reason(written):
    with pytest.raises(ValueError, match=r"host:port|not a port"):
        listen_address(written)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("https://Crawler.Example.com", "https://crawler.example.com"),
        ("https://example.com/websub/", "https://example.com/websub"),
        (" http://example.com:8080/a/b ", "http://example.com:8080/a/b"),
    ],
)
def test_the_public_address_is_what_paths_are_added_to(written, read):
    assert public_address(written) == read


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("example.com", "it has no scheme"),
        ("ftp://example.com", "ftp is not http or https"),
        ("https://me:secret@example.com", "it carries credentials"),
        ("https://example.com/?a=1", "it cannot have a query"),
    ],
)
def test_what_no_hub_could_call_is_refused(written, why):
    with pytest.raises(ValueError, match=why):
        public_address(written)
