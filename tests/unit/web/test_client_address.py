"""The address of a client behind reverse proxies."""

import ipaddress

import pytest

from outrider.errors import Misconfigured
from outrider.web.middleware.client_address import ClientAddresses, client_of

PROXIES = [ipaddress.ip_network("10.0.0.0/8"), ipaddress.ip_network("::1")]


@pytest.mark.parametrize(
    ("peer", "forwarded", "client"),
    [
        ("203.0.113.9", [], "203.0.113.9"),
        ("203.0.113.9", ["198.51.100.1"], "203.0.113.9"),  # the peer is no proxy: its header is not believed
        ("10.0.0.1", ["198.51.100.1"], "198.51.100.1"),
        ("::1", ["198.51.100.1"], "198.51.100.1"),
        ("10.0.0.1", ["6.6.6.6", "198.51.100.1"], "198.51.100.1"),  # the client made up the first one
        ("10.0.0.1", ["198.51.100.1", "10.0.0.2"], "198.51.100.1"),
        ("10.0.0.1", ["not an address"], "10.0.0.1"),
        ("10.0.0.1", ["198.51.100.1", "garbage", "10.0.0.2"], "10.0.0.2"),
    ],
)
def test_only_trusted_proxies_are_believed(peer, forwarded, client):
    assert client_of(peer, forwarded, PROXIES) == client


def test_a_proxy_that_is_no_address_is_refused():
    with pytest.raises(Misconfigured, match="no address or network"):
        ClientAddresses(None, ["proxy.example"])
