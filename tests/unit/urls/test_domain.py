import pytest

from outrider.urls import registrable_domain


@pytest.mark.parametrize(
    ("host", "domain"),
    [
        pytest.param("example.com", "example.com", id="itself"),
        pytest.param("a.b.example.com", "example.com", id="names below it"),
        pytest.param("WwW.Example.COM", "example.com", id="in any case"),
        pytest.param("www.example.com.", "example.com", id="with a final dot"),
        pytest.param("www.example.co.uk", "example.co.uk", id="under a suffix of two labels"),
        pytest.param("a.b.c.kobe.jp", "b.c.kobe.jp", id="under a wildcard"),
        pytest.param("a.city.kobe.jp", "city.kobe.jp", id="except an exception"),
        pytest.param("alice.github.io", "alice.github.io", id="under a private suffix"),
        pytest.param("www.食狮.公司.cn", "食狮.公司.cn", id="in Unicode"),
        pytest.param("www.xn--85x722f.xn--55qx5d.cn", "xn--85x722f.xn--55qx5d.cn", id="in punycode"),
        pytest.param("www。example。com", "example.com", id="with ideographic dots"),
        pytest.param("www.example.unheard-of", "example.unheard-of", id="under an unknown suffix"),
        pytest.param("com", None, id="not a suffix"),
        pytest.param("github.io", None, id="not a private suffix"),
        pytest.param("localhost", None, id="not a single label"),
        pytest.param("127.0.0.1", None, id="not an IPv4 address"),
        pytest.param("[::1]", None, id="not an IPv6 address"),
        pytest.param("::1", None, id="not even without brackets"),
        pytest.param(".example.com", None, id="not an empty label"),
        pytest.param("", None, id="not nothing"),
        pytest.param("a." * 500_000 + "com", None, id="not what DNS cannot hold"),
        pytest.param("\ud800.com", "\ud800.com", id="and never an exception"),
    ],
)
def test_registrable_domain(host, domain):
    assert registrable_domain(host) == domain
