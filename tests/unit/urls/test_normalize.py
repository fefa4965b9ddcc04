"""The rules, one table each, and what is kept apart."""

import pytest

from outrider.errors import InvalidUrl
from outrider.urls import Rules, Tracking, normalize


@pytest.mark.parametrize(
    ("written", "normal"),
    [
        pytest.param(
            "HTTP://Example.COM/Path", "http://example.com/Path", id="scheme and host in lower case"
        ),
        pytest.param("http://h/A/b?C=D", "http://h/A/b?C=D", id="path and query keep their case"),
        pytest.param("http://bücher.example/", "http://xn--bcher-kva.example/", id="names become punycode"),
        pytest.param("http://www.h/", "http://www.h/", id="www stays"),
        pytest.param("http://h./", "http://h./", id="a final dot stays"),
        pytest.param("http://h:80/", "http://h/", id="port 80 of http goes"),
        pytest.param("https://h:443/", "https://h/", id="port 443 of https goes"),
        pytest.param("http://h:443/", "http://h:443/", id="port 443 of http stays"),
        pytest.param("https://h:80/", "https://h:80/", id="port 80 of https stays"),
        pytest.param("http://h:0080/", "http://h/", id="ports are numbers"),
        pytest.param("http://0x7f.1/", "http://127.0.0.1/", id="an odd spelling of an IPv4 address"),
        pytest.param("http://2130706433/", "http://127.0.0.1/", id="an IPv4 address as one number"),
        pytest.param("http://[0:0::1]:8080/", "http://[::1]:8080/", id="IPv6 is compressed"),
        pytest.param("http://@h/", "http://h/", id="an empty user is no user"),
    ],
)
def test_scheme_and_authority(written, normal):
    assert normalize(written) == normal


@pytest.mark.parametrize(
    ("written", "normal"),
    [
        pytest.param("http://h", "http://h/", id="an empty path is the root"),
        pytest.param("http://h/a/./b/../c", "http://h/a/c", id="dot segments are resolved"),
        pytest.param("http://h/../../a", "http://h/a", id="nothing is above the root"),
        pytest.param("http://h/a/%2e%2E/b", "http://h/b", id="escaped dots are dots"),
        pytest.param("http://h/a/b/..", "http://h/a", id="a trailing slash made by dots goes too"),
        pytest.param("http://h/a/", "http://h/a", id="a trailing slash goes"),
        pytest.param("http://h/a/?q=1", "http://h/a?q=1", id="a trailing slash goes before a query"),
        pytest.param("http://h/", "http://h/", id="the root stays"),
        pytest.param("http://h/?q", "http://h/?q", id="the root stays before a query"),
        pytest.param("http://h//", "http://h//", id="an empty segment stays at the root"),
        pytest.param("http://h/a//", "http://h/a//", id="an empty segment stays at the end"),
        pytest.param("http://h//a//b", "http://h//a//b", id="empty segments stay"),
        pytest.param("http://h\\a\\b", "http://h/a/b", id="backslashes are slashes"),
        pytest.param("http://h/a;v=1/b;c", "http://h/a;v=1/b;c", id="path parameters stay"),
        pytest.param("http://h/a b", "http://h/a%20b", id="a space is escaped"),
        pytest.param("http://h/é", "http://h/%C3%A9", id="beyond ASCII is UTF-8, escaped"),
        pytest.param("http://h/%e9", "http://h/%E9", id="escapes need not be UTF-8"),
        pytest.param(" \thttp://h/a\nb\r ", "http://h/ab", id="tabs and newlines are not part of a URL"),
        pytest.param("http://h/a\x00b", "http://h/a%00b", id="a NUL is escaped"),
        pytest.param("http://h/\ud800", "http://h/%EF%BF%BD", id="half a character is replaced"),
        pytest.param("http://h/\ud83d\ude00", "http://h/%F0%9F%98%80", id="two halves make one"),
    ],
)
def test_path(written, normal):
    assert normalize(written) == normal


@pytest.mark.parametrize(
    ("written", "normal"),
    [
        pytest.param("http://h/?b=2&a=1", "http://h/?a=1&b=2", id="sorted by name"),
        pytest.param("http://h/?a=2&b=0&a=1", "http://h/?a=2&a=1&b=0", id="repeats keep their order"),
        pytest.param("http://h/?a=&b", "http://h/?a=&b", id="empty values stay"),
        pytest.param("http://h/?", "http://h/", id="an empty query goes"),
        pytest.param("http://h/?&&", "http://h/", id="a query of separators goes"),
        pytest.param("http://h/?b&&a&", "http://h/?a&b", id="empty pieces go"),
        pytest.param("http://h/?=", "http://h/?=", id="a parameter without a name stays"),
        pytest.param("http://h/?a;b", "http://h/?a;b", id="a semicolon separates nothing"),
        pytest.param("http://h/?a=1?b=2", "http://h/?a=1?b=2", id="a second question mark is data"),
        pytest.param("http://h/?q='", "http://h/?q=%27", id="a quote in a query is escaped"),
        pytest.param("http://h/#top", "http://h/", id="the fragment goes"),
        pytest.param("http://h/?a#b?c", "http://h/?a", id="the fragment goes after a query"),
        pytest.param("http://h/#!/app", "http://h/", id="an application's fragment goes too"),
        pytest.param("http://h/?utm_source=x&id=1&gclid=y", "http://h/?id=1", id="tracking goes"),
        pytest.param("http://h/?utm_source=x", "http://h/", id="a query of tracking goes"),
        pytest.param("http://h/?%75tm_medium=x", "http://h/", id="tracking in disguise goes"),
    ],
)
def test_query_and_fragment(written, normal):
    assert normalize(written) == normal


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://h/", "https://h/"),
        ("http://h/", "http://www.h/"),
        ("http://h/", "http://h:8080/"),
        ("http://h/a", "http://h/A"),
        ("http://h/a//b", "http://h/a/b"),
        ("http://h/a//", "http://h/a/"),
        ("http://h//", "http://h/"),
        ("http://h/a%2Fb", "http://h/a/b"),
        ("http://h/a%3Fb", "http://h/a?b"),
        ("http://h/a%23b", "http://h/a"),
        ("http://h/a%3Bb", "http://h/a;b"),
        ("http://h/a%252Fb", "http://h/a%2Fb"),
        ("http://h/%2541", "http://h/A"),
        ("http://h/%%34%31", "http://h/A"),
        ("http://h/a+b", "http://h/a%20b"),
        ("http://h/?q=a+b", "http://h/?q=a%20b"),
        ("http://h/?q=a%2Bb", "http://h/?q=a+b"),
        ("http://h/?a", "http://h/?a="),
        ("http://h/?a", "http://h/"),
        ("http://h/?=", "http://h/"),
        ("http://h/?a=1&a=2", "http://h/?a=2&a=1"),
        ("http://h/?a+b=1&a%20b=2", "http://h/?a%20b=2&a+b=1"),
        ("http://h/?a=1%26b=2", "http://h/?a=1&b=2"),
        ("http://h/?a=1;b=2", "http://h/?b=2;a=1"),
        ("http://h/?Ref=1", "http://h/"),
        ("http://h/?q=é", "http://h/?q=%E9"),
    ],
)
def test_what_a_server_can_tell_apart_stays_apart(one, other):
    assert normalize(one) != normalize(other)


@pytest.mark.parametrize(
    ("link", "resolved"),
    [
        ("c", "http://h/a/c"),
        ("./c?d", "http://h/a/c?d"),
        ("../c", "http://h/c"),
        ("/c", "http://h/c"),
        ("//other/c", "http://other/c"),
        ("?d", "http://h/a/b?d"),
        ("", "http://h/a/b?q=1"),
        ("#top", "http://h/a/b?q=1"),
        ("https://other/", "https://other/"),
        ("https:c", "https://c/"),
        ("http:c", "http://h/a/c"),
    ],
)
def test_links_are_read_on_their_page(link, resolved):
    assert normalize(link, "http://h/a/b?q=1#here") == resolved


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("", "empty"),
        (" \n", "empty"),
        ("example.com/a", "no scheme"),
        ("/a", "no scheme"),
        ("http://", "not a valid URL"),
        ("http:///", "not a valid URL"),
        ("http://h:99999/", "not a valid URL"),
        ("http://[::1/", "not a valid URL"),
        ("http://a b/", "not a valid URL"),
        ("http://1.2.3.400/", "not a valid URL"),
        ("\ud800", "no scheme"),
        ("http://\ud800/", "not a valid URL"),
        ("mailto:a@b.c", "mailto is not http"),
        ("JavaScript:void(0)", "javascript is not http"),
        ("tel:+123", "tel is not http"),
        ("file:///etc/passwd", "file is not http"),
        ("data:text/plain,x", "data is not http"),
        ("ftp://h/", "ftp is not http"),
        ("ws://h/", "ws is not http"),
        ("http://user@h/", "credentials"),
        ("http://user:secret@h/", "credentials"),
        ("http://:secret@h/", "credentials"),
        ("http://h/" + "a" * 2_040, "longer than 2048"),
        ("http://h/" + "é" * 400, "longer than 2048"),
        ("http://h/" + "a" * 10_000_000, "longer than 65536"),
    ],
)
def test_what_cannot_be_crawled_is_refused_with_a_reason(url, why):
    with pytest.raises(InvalidUrl) as refused:
        normalize(url)

    assert why in refused.value.why
    assert refused.value.url == url


@pytest.mark.parametrize("base", ["", "mailto:x", "not a base", "http://u:p@h/", "x" * 70_000])
def test_a_useless_base_is_refused(base):
    with pytest.raises(InvalidUrl):
        normalize("a", base)


def test_an_at_sign_in_the_path_is_no_credential():
    assert normalize("http://h/@user?mail=a@b") == "http://h/@user?mail=a@b"


def test_the_longest_url_allowed_is_allowed():
    longest = "http://h/" + "a" * (2_048 - len("http://h/"))

    assert normalize(longest) == longest
    assert normalize(f"{longest}?utm_source={'x' * 100}") == longest


def test_rules_can_be_chosen():
    rules = Rules(strip_trailing_slash=False, tracking=Tracking.of("sid"), max_length=24)

    assert normalize("http://h/a/?ref=x&sid=1", rules=rules) == "http://h/a/?ref=x"
    with pytest.raises(InvalidUrl, match="longer than 24"):
        normalize("http://h/a/?ref=x&long=er", rules=rules)
