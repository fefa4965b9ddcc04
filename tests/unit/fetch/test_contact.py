"""Which hosts may be asked by a crawler that says nothing about whom to ask."""

import pytest

from outrider.fetch.contact import contacts_in, needs_contact
from outrider.fetch.names import parse_rules

TEST_NAMES = parse_rules("*.test=127.0.0.0/8,shop.de=127.0.0.5,cdn.de=93.184.216.34")


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "10.1.2.3",
        "169.254.169.254",
        "[::1]",
        "localhost",
        "site",
        "a.localhost",
        "anything.test",
        "nowhere.invalid",
        "printer.local",
        "shop.de",
    ],
)
def test_hosts_of_ones_own_need_no_contact(host):
    assert not needs_contact(host, TEST_NAMES)


@pytest.mark.parametrize(
    "host", ["example.com", "EXAMPLE.com.", "93.184.216.34", "[2606:2800:220:1::1]", "cdn.de", "mytest.de"]
)
def test_hosts_on_the_public_web_need_a_contact(host):
    assert needs_contact(host, TEST_NAMES)


def test_contacts_are_found_within_an_agent():
    agent = "Example/2 (+https://blatt.de/bot; crawl@blatt.de) other/1.0 http://localhost/"

    assert contacts_in(agent) == [("https://blatt.de/bot", "blatt.de"), ("crawl@blatt.de", "blatt.de")]
