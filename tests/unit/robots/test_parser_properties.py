"""Robots.txt is written by strangers: any bytes are read, and a hostile file costs no more than its size."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outrider.robots import Robots

FIELDS = [b"User-agent:", b"Disallow:", b"Allow:", b"Crawl-delay:", b"Sitemap:", b"Disallow ", b"#", b":"]
PATHS = [b"*", b"$", b"/", b"a", b"b", b"?", b"%", b"%41", b"%2a", b"9", b"<", b">"]
ODDITIES = [b" ", b"\n", b"\r", b"\r\n", b"\x00", b"\xef\xbb\xbf", b"\xff\xfe"]
PIECES = st.sampled_from([*FIELDS, *PATHS, *ODDITIES])
FILES = st.one_of(st.binary(), st.lists(PIECES, max_size=40).map(b"".join))


@given(body=FILES, agent=st.text(), url=st.text())
def test_any_bytes_any_agent_and_any_url_have_an_answer(body, agent, url):
    robots = Robots.parse(body)
    verdict = robots.verdict(agent, url)
    delay = robots.crawl_delay(agent)

    assert verdict.allowed is robots.allows(agent, url)
    assert verdict.allowed or verdict.line is not None
    assert delay is None or delay >= 0
    assert all(robots.sitemaps)


def pattern_matches(pattern, path):
    """The slow and obvious way: every prefix of the path that the pattern so far can reach."""
    anchored = pattern.endswith("$")
    reached = {0}
    for character in pattern.removesuffix("$"):
        if character == "*":
            reached = set(range(min(reached), len(path) + 1)) if reached else set()
        else:
            reached = {at + 1 for at in reached if path[at : at + 1] == character}
    return len(path) in reached if anchored else bool(reached)


PATTERNS = st.text(alphabet="ab*/$", max_size=8).filter(lambda text: "$" not in text[:-1]).map("/".__add__)


@given(
    lines=st.lists(st.tuples(st.booleans(), PATTERNS), max_size=6),
    path=st.text(alphabet="ab/", max_size=8).map("/".__add__),
)
def test_the_longest_match_wins_and_allow_wins_ties(lines, path):
    text = "".join(f"{'Allow' if allow else 'Disallow'}: {pattern}\n" for allow, pattern in lines)
    matching = [(len(pattern), allow) for allow, pattern in lines if pattern_matches(pattern, path)]

    answer = Robots.parse(f"User-agent: *\n{text}".encode()).allows("any", f"http://h{path}")

    assert answer is max(matching, default=(0, True))[1]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(
            b"User-agent: outrider\n" * 12_000 + b"Disallow: /x\n" * 12_000, id="agents times rules"
        ),
        pytest.param(
            b"User-agent: outrider\nCrawl-delay: 1\n" * 12_000 + b"Disallow: /x\n" * 5_000, id="delays"
        ),
        pytest.param(b"User-agent: *\nDisallow: /" + b"*a" * 200_000, id="stars"),
        pytest.param(b"".join(b"User-agent: b%d\n" % number for number in range(25_000)), id="names"),
        pytest.param(b"User-agent " + b" " * 500_000, id="spaces"),
        pytest.param(b"<" * 524_288, id="open tags"),
        pytest.param(b"\n" * 524_288, id="empty lines"),
    ],
)
def test_a_hostile_file_is_read_in_one_pass(body):
    assert Robots.parse(body).allows("outrider", "http://h/" + "a" * 2_000)
