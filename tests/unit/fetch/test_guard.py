"""Where the fetcher may connect."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outrider.fetch import permits
from outrider.fetch.guard import is_permitted, networks_of

PUBLIC = ["93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946"]

REFUSED = {
    "unspecified": ["0.0.0.0", "::"],
    "this network": ["0.1.2.3"],
    "private": ["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1"],
    "carrier-grade NAT": ["100.64.0.1", "100.127.255.255", "100.100.100.200"],
    "loopback": ["127.0.0.1", "127.255.255.255", "::1"],
    "link-local": ["169.254.0.1", "fe80::1", "febf::1"],
    "metadata services": ["169.254.169.254", "fd00:ec2::254", "168.63.129.16", "192.0.0.192"],
    "protocol assignments": ["192.0.0.1", "2001:1::1"],
    "documentation": ["192.0.2.1", "198.51.100.1", "203.0.113.1", "2001:db8::1", "3fff::1"],
    "benchmarking": ["198.18.0.1", "198.19.255.255", "2001:2::1"],
    "multicast": ["224.0.0.1", "239.255.255.255", "ff02::1"],
    "reserved": ["240.0.0.1", "255.255.255.255", "4000::1"],
    "unique local": ["fc00::1", "fdff::1"],
    "site-local": ["fec0::1"],
    "mapped IPv4": ["::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:93.184.216.34"],
    "compatible IPv4": ["::127.0.0.1", "::10.0.0.1"],
    "NAT64 of a private address": ["64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b::10.0.0.1"],
    "local NAT64": ["64:ff9b:1::1", "64:ff9b:1::5db8:d822"],
    "6to4": ["2002:7f00:1::1", "2002:a00:1::", "192.88.99.1"],
    "Teredo": ["2001:0:4136:e378:8000:63bf:3fff:fdd2"],
    "a zone": ["fe80::1%eth0", "2606:4700::1111%1"],
    "not an address": ["", "localhost", "127.1", "0x7f.1", "010.0.0.1", "１２７.0.0.1", "1.2.3", " 8.8.8.8"],
}


@pytest.mark.parametrize(
    "address", [pytest.param(a, id=f"{name}: {a}") for name, group in REFUSED.items() for a in group]
)
def test_a_name_that_points_there_is_refused(address):
    assert not permits("http://example.com/", [address])


@pytest.mark.parametrize("address", [*PUBLIC, "8.8.8.8", "100.63.255.255", "100.128.0.1", "172.32.0.1"])
def test_a_public_address_is_permitted(address):
    assert permits("https://example.com/", [address])


def test_an_address_translated_for_an_ipv6_network_is_judged_by_what_is_behind_it():
    assert permits("http://example.com/", ["64:ff9b::5db8:d822"])
    assert not permits("http://example.com/", ["64:ff9b::a00:1"])


@pytest.mark.parametrize("private", ["10.0.0.1", "::1", "169.254.169.254"])
def test_one_private_address_among_public_ones_refuses_the_name(private):
    assert permits("http://example.com/", PUBLIC)
    assert not permits("http://example.com/", [*PUBLIC, private])
    assert not permits("http://example.com/", [private, *PUBLIC])


def test_a_name_without_addresses_is_refused():
    assert not permits("http://example.com/", [])


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "127.0.0.1.",
        "127.1",
        "0x7f.1",
        "0x7f000001",
        "2130706433",
        "0177.0.0.1",
        "017700000001",
        "１２７.０.０.１",
        "127。0。0。1",
        "%31%32%37.0.0.1",
        "①②⑦.0.0.1",
        "0",
        "0x0a.0x00.0x00.0x01",
        "169.254.169.254",
        "2852039166",
        "[::1]",
        "[0:0:0:0:0:0:0:1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[64:ff9b::127.0.0.1]",
        "[fd00:ec2::254]",
        "[fe80::1%25eth0]",
        "user@127.0.0.1",
        "example.com@127.0.0.1",
        "127.0.0.1:8080",
        "[::1]:443",
    ],
)
def test_a_literal_private_address_is_refused_however_it_is_spelt(host):
    assert not permits(f"http://{host}/", PUBLIC)


@pytest.mark.parametrize(
    "host", ["93.184.216.34", "[2606:2800:220:1::1]", "1572395042", "93.184.216.34:8080"]
)
def test_a_literal_public_address_is_judged_itself(host):
    assert permits(f"http://{host}/", [])
    assert permits(f"http://{host}/", ["127.0.0.1"])


@pytest.mark.parametrize(
    "url",
    [
        "ftp://example.com/",
        "file:///etc/passwd",
        "gopher://example.com/",
        "javascript:alert(1)",
        "data:text/html,x",
        "ws://example.com/",
        "//example.com/",
        "example.com",
        "http://",
        "",
        "http://exa mple.com/",
    ],
)
def test_what_is_not_an_http_url_is_refused(url):
    assert not permits(url, PUBLIC)


def test_an_allowed_network_opens_exactly_itself():
    assert permits("http://a.test/", ["127.0.0.5"], allow=["127.0.0.0/8"])
    assert permits("http://127.0.0.1/", [], allow=["127.0.0.1"])
    assert permits("http://[fd00::1]/", [], allow=networks_of(["fd00::/8"]))
    assert not permits("http://a.test/", ["10.0.0.1"], allow=["127.0.0.0/8"])
    assert not permits("http://a.test/", ["127.0.0.5", "10.0.0.1"], allow=["127.0.0.0/8"])


@given(st.text(), st.lists(st.text()))
def test_no_url_and_no_address_makes_it_raise(url, addresses):
    permits(url, addresses)
    permits(f"http://{url}/", addresses)


@given(st.ip_addresses(v=4))
def test_whatever_the_standard_library_calls_private_or_special_is_refused(address):
    if not address.is_global or address.is_multicast or address.is_reserved:
        assert not is_permitted(str(address))


@given(st.ip_addresses(v=6))
def test_only_global_unicast_is_permitted_in_ipv6(address):
    if is_permitted(str(address)):
        assert str(address).startswith(("2", "3", "64:ff9b::"))
