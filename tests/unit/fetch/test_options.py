"""What options refuse, and who we say we are."""

from pathlib import Path

import pytest

from outrider import __version__
from outrider.errors import Misconfigured
from outrider.fetch import FetchOptions
from outrider.fetch.tls import Tls, tls_context
from outrider.settings import load


def test_we_say_who_we_are_and_where_to_complain():
    options = FetchOptions(contact="https://example.org/bot")

    assert options.agent == f"Outrider/{__version__} (+https://example.org/bot)"


def test_the_default_agent_names_product_version_and_contact():
    assert FetchOptions().agent.startswith(f"Outrider/{__version__} (+https://")


def test_an_agent_of_ones_own_is_sent_as_it_is():
    assert (
        FetchOptions(user_agent="Example/2 (+https://example.org)").agent
        == "Example/2 (+https://example.org)"
    )


@pytest.mark.parametrize("name", ["user_agent", "contact", "accept", "accept_language"])
@pytest.mark.parametrize("value", ["a\r\nX: y", "a\nb", "a\x00b", "日本", "a\x85b", "a\u2028b"])
def test_a_value_that_would_break_a_header_is_refused(name, value):
    with pytest.raises(ValueError, match=name):
        FetchOptions(**{name: value})


def test_a_contact_is_added_to_an_agent_that_names_none():
    options = FetchOptions(user_agent="Example/2", contact="crawl@blatt.de")

    assert options.agent == "Example/2 (+crawl@blatt.de)"


@pytest.mark.parametrize("contact", ["me", "me@home", "ftp://blatt.de", "http://", "a@b.de c@d.de", "b.de"])
def test_what_is_neither_an_e_mail_address_nor_a_web_address_is_no_contact(contact):
    with pytest.raises(Misconfigured, match=r"OUTRIDER_CONTACT = .* give an e-mail address"):
        load(environ={"OUTRIDER_CONTACT": contact})


@pytest.mark.parametrize(
    ("options", "is_anonymous"),
    [
        ({}, True),
        ({"contact": " "}, True),
        ({"contact": "crawl@blatt.de"}, False),
        ({"contact": "mailto:crawl@blatt.de"}, False),
        ({"contact": "https://blatt.de/bot"}, False),
        ({"contact": "you@example.com"}, True),
        ({"contact": "https://your.example/crawler"}, True),
        ({"user_agent": "Example/2"}, True),
        ({"user_agent": "Example/2 (+https://blatt.de/bot)"}, False),
        ({"user_agent": "Example/2 (crawl@blatt.de)"}, False),
        ({"user_agent": "Example/2", "contact": "crawl@blatt.de"}, False),
    ],
)
def test_only_a_contact_of_ones_own_says_who_crawls(options, is_anonymous):
    assert FetchOptions(**options).is_anonymous is is_anonymous


@pytest.mark.parametrize(
    "proxy", ["http://user:word@proxy.test:3128", "https://p:1/", "socks5://127.0.0.1:1080"]
)
def test_http_and_socks5_proxies_are_accepted(proxy):
    assert FetchOptions(proxies=(proxy,)).proxies == (proxy,)


@pytest.mark.parametrize(
    "proxy", ["ftp://p:1", "proxy:3128", "socks4://p:1", "http://", "http://a b:1", "http://p\n:1"]
)
def test_other_proxies_are_refused_without_repeating_their_secret(proxy):
    with pytest.raises(ValueError, match=r"^a proxy is"):
        FetchOptions(proxies=(proxy,))


def test_certificates_are_verified_from_tls_1_2_on():
    context = tls_context(FetchOptions())

    assert context.check_hostname
    assert context.verify_mode.name == "CERT_REQUIRED"
    assert context.minimum_version.name == "TLSv1_2"


def test_a_missing_certificate_file_is_named_before_the_first_connection():
    with pytest.raises(Misconfigured, match=r"OUTRIDER_CA_FILE .*missing\.pem"):
        Tls(FetchOptions(ca_file=Path("/nowhere/missing.pem")))


def test_certificates_are_read_once_and_only_when_needed(monkeypatch):
    read = []

    def read_certificates(options):
        read.append(options)
        return tls_context(options)

    monkeypatch.setattr("outrider.fetch.tls.tls_context", read_certificates)
    tls = Tls(FetchOptions())
    assert not read

    assert tls.context is tls.context
    assert len(read) == 1
