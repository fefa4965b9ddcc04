"""What holds for every string: one exception, one spelling for ever, and nothing a server sees is lost."""

from urllib.parse import unquote_to_bytes

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outrider.errors import InvalidUrl
from outrider.urls import (
    DEFAULT_RULES,
    Rules,
    Tracking,
    host_of,
    key_of,
    normalize,
    origin_of,
    path_of,
    resolve,
)

BASES = [None, "http://h/a/b?c", "https://example.com:8443/", "http://[::1]/x/"]
PLAIN_RULES = Rules(strip_trailing_slash=False, tracking=Tracking())

# Pieces that mean something in a URL meet each other far more often here than in random text.
DELIMITERS = ["http://", "https:", "//", "/", "\\", ":", "@", "?", "#", "&", "&&", "=", ";", "+", "..", "."]
ESCAPES = ["%", "%%", "%2", "%2e", "%2F", "%41", "%34", "%31", "%7e", "%zz", "%c3%a9", "%ff"]
HOSTS = ["h", "ü", "。", "xn--", "0x7f.1", "[::1]", ":80", ":443"]
WORDS = ["a", "A", "b", "1", "4", "a=1", "b=", "utm_source=x", "ref", "'", '"', "|", "^", "$", "~", "🙂"]
ODDITIES = [" ", "\t", "\n", "\x00", "\ud800", "\udfff"]
PIECES = st.sampled_from([*DELIMITERS, *ESCAPES, *HOSTS, *WORDS, *ODDITIES])
SCRAPS = st.lists(PIECES, max_size=12).map("".join)
STARTS = st.sampled_from(["", "http://h/", "http://h/?", "https://example.com", "//h/", "/"])
LINKS = st.one_of(st.text(), st.builds(str.__add__, STARTS, SCRAPS))


def accepted(link, base=None, rules=DEFAULT_RULES):
    try:
        return normalize(link, base, rules)
    except InvalidUrl:
        return None


@given(link=LINKS, base=st.one_of(st.sampled_from(BASES), SCRAPS))
def test_normalising_again_changes_nothing(link, base):
    once = accepted(link, base)

    if once is not None:
        assert [normalize(once, other) for other in BASES] == [once] * len(BASES)


@given(link=LINKS, base=st.sampled_from(BASES))
def test_the_parts_make_the_whole(link, base):
    whole = accepted(link, base)

    if whole is not None:
        assert whole.isascii()
        assert origin_of(whole) + path_of(whole) == whole
        assert host_of(whole) in origin_of(whole)
        assert key_of(whole) == key_of(normalize(whole))


@given(link=LINKS, base=st.sampled_from(BASES))
def test_a_path_read_on_its_own_page_leads_back(link, base):
    page = accepted(link, base)

    if page is not None and not path_of(page).startswith("//"):
        assert normalize(path_of(page), page) == page


def as_a_server_sees_it(url):
    """Segments and parameters decoded; of repeated names the values in order."""
    path, _, query = path_of(url).partition("?")
    parameters = {}
    for piece in filter(None, query.split("&")):
        name, equals, value = piece.partition("=")
        parameters.setdefault(unquote_to_bytes(name.replace("+", " ")), []).append(
            (name.count("+"), equals, unquote_to_bytes(value), value.count("+"))
        )
    return origin_of(url), [unquote_to_bytes(segment) for segment in path.split("/")], parameters


@given(link=LINKS, base=st.sampled_from(BASES))
def test_a_server_sees_the_same_before_and_after(link, base):
    normal = accepted(link, base, PLAIN_RULES)

    if normal is not None:
        assert as_a_server_sees_it(normal) == as_a_server_sees_it(resolve(link, base))


@given(link=LINKS, base=st.sampled_from(BASES))
def test_rules_can_be_applied_one_after_the_other(link, base):
    plain = accepted(link, base, PLAIN_RULES)

    if plain is not None:
        assert normalize(plain) == normalize(link, base)


@pytest.mark.parametrize(
    "junk", ["%" * 60_000, "http://h/" + "%2e/" * 16_000, "http://h/?" + "&" * 60_000, "http:" * 13_000]
)
def test_long_junk_is_dealt_with_at_once(junk):
    assert accepted(junk) in {None, "http://h/"}
