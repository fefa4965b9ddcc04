"""Names answered by a setting."""

from ipaddress import ip_address, ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outrider.fetch.names import address_for, parse_rules

RULES = parse_rules("shop.test=127.0.0.5, *.test=127.0.0.0/8, *.six=fd00::/64, *.lan=10.0.0.0/30")


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("shop.test", "127.0.0.5"),
        ("SHOP.test.", "127.0.0.5"),
        ("example.com", None),
        ("test", None),
        ("notest", None),
        ("shop.test.evil.com", None),
    ],
)
def test_the_first_rule_that_names_a_host_answers(host, address):
    assert address_for(host, RULES) == address


def test_a_name_keeps_its_address():
    assert address_for("a.test", RULES) == address_for("a.test", parse_rules("*.test=127.0.0.0/8"))


@given(st.text(alphabet="abcdefghij0123456789-", min_size=1, max_size=20))
def test_test_names_land_on_few_loopback_addresses(name):
    address = address_for(f"{name}.test", parse_rules("*.test=127.0.0.0/8"))

    assert ip_address("127.0.0.2") <= ip_address(address) <= ip_address("127.0.0.250")


@pytest.mark.parametrize(("suffix", "network"), [("six", "fd00::/64"), ("lan", "10.0.0.0/30")])
def test_an_address_is_a_host_of_the_rules_network(suffix, network):
    addresses = {ip_address(address_for(f"{n}.{suffix}", RULES)) for n in range(50)}

    assert len(addresses) > 1
    assert all(address in ip_network(network) for address in addresses)
    assert ip_network(network).network_address not in addresses


def test_a_star_answers_for_every_name():
    assert address_for("anything.example", parse_rules("*=127.0.0.9")) == "127.0.0.9"


@pytest.mark.parametrize(
    "text", ["a.test", "=127.0.0.1", "a.*=127.0.0.1", "a.test=", "a.test=here", "a=1.2.3.4/99"]
)
def test_a_wrong_rule_is_refused(text):
    with pytest.raises(ValueError, match=r"."):
        parse_rules(text)
