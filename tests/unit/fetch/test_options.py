"""What options refuse, and who we say we are."""

from pathlib import Path

import pytest

from outrider import __version__
from outrider.errors import Misconfigured
from outrider.fetch import FetchOptions
from outrider.fetch.tls import tls_context


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


def test_an_anonymous_crawler_is_refused():
    with pytest.raises(ValueError, match="who it is"):
        FetchOptions(contact=" ")


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


def test_a_missing_certificate_file_is_named():
    with pytest.raises(Misconfigured, match=r"OUTRIDER_CA_FILE .*missing\.pem"):
        tls_context(FetchOptions(ca_file=Path("/nowhere/missing.pem")))
