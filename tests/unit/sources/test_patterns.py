"""User-supplied expressions: what is accepted, what is refused in words, and what a bad one may cost."""

import pytest

from outrider.errors import InvalidInput
from outrider.sources.patterns import LONGEST_PATTERN, TIMEOUTS_ALLOWED, Pattern

URL = "https://example.org/blog/2024/05/title.html?page=2"
CATASTROPHE = r"(a+)+$"
BAIT = "https://example.org/" + "a" * 2_000 + "!"


@pytest.mark.parametrize(
    ("text", "matches"),
    [
        ("/blog/", True),
        ("/Blog/", False),
        ("(?i)/Blog/", True),
        (r"/\d{4}/\d{2}/", True),
        (r"\.html$", False),
        (r"[?&]page=\d+$", True),
        ("example.org", True),
        ("exampleXorg", False),
        ("", True),
    ],
)
def test_a_pattern_is_searched_anywhere_in_the_url(text, matches):
    assert Pattern.compile(text).search(URL) is matches


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("(a", "not valid at character 3: missing )"),
        ("*a", "not valid at character 1: nothing to repeat"),
        ("[z", "unterminated character set"),
        ("a" * (LONGEST_PATTERN + 1), "has 501 characters, more than the 500 allowed"),
        ("(?:a{60000}){60000}", "repeats too much"),
        ("(?:a{1,300}){,300}", "repeats too much"),
        ("(" * 400, "too complicated"),
    ],
)
def test_what_cannot_be_used_is_refused_in_one_sentence(text, says):
    with pytest.raises(InvalidInput, match="the pattern") as refused:
        Pattern.compile(text)

    assert says in str(refused.value)
    assert len(str(refused.value)) < 200


def test_a_runaway_search_counts_as_no_match_and_is_remembered():
    pattern = Pattern.compile(CATASTROPHE)

    assert pattern.search(BAIT) is False
    assert pattern.timeouts == 1
    assert not pattern.disabled


def test_a_pattern_that_keeps_running_away_is_switched_off_in_the_open():
    pattern = Pattern.compile(CATASTROPHE)
    pattern.timeouts = TIMEOUTS_ALLOWED - 1

    pattern.search(BAIT)

    assert pattern.disabled
    assert pattern.search("https://example.org/aaa") is False
    assert pattern.timeouts == TIMEOUTS_ALLOWED
