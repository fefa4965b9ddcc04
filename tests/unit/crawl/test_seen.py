"""The set of recently confirmed URLs: bounded, and never wrong when it says yes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outrider.crawl.seen import REFUSED, SeenUrls
from outrider.hrefs import Hrefs


def links(*hrefs: str) -> Hrefs:
    return Hrefs.of(dict.fromkeys(hrefs, False))


def recognise(seen: SeenUrls, place: str, hrefs: dict[str, str], priority: int) -> None:
    """As a page does it for its links."""
    seen.recognise(place, seen.confirmed(hrefs, priority), priority)


@pytest.mark.parametrize(
    ("confirmed", "asked", "covered"), [(5, 5, True), (5, 3, True), (5, 6, False), (REFUSED, 10, True)]
)
def test_a_key_is_covered_up_to_the_priority_it_was_confirmed_at(confirmed, asked, covered):
    seen = SeenUrls()
    seen.add([("a", confirmed)])

    assert (seen.unknown(["a"], asked) == []) is covered


def test_what_was_never_confirmed_is_unknown():
    seen = SeenUrls()
    seen.add([("b", 5)])

    assert seen.unknown(["a", "b", "c"], 1) == ["a", "c"]


def test_a_lower_priority_does_not_replace_a_higher_one():
    seen = SeenUrls()
    seen.add([("a", 8), ("a", 2)])

    assert seen.unknown(["a"], 8) == []


def test_it_never_holds_more_than_its_capacity():
    seen = SeenUrls(capacity=100)
    seen.add((str(number), 5) for number in range(10_000))

    assert len(seen) <= 100
    assert seen.unknown(["0", "9999"], 5) == ["0"]


def test_what_is_asked_for_stays():
    seen = SeenUrls(capacity=100)
    seen.add([("navigation", 5)])
    for number in range(10_000):
        seen.add([(str(number), 5)])
        assert seen.unknown(["navigation"], 5) == []


@given(st.lists(st.tuples(st.booleans(), st.sampled_from("abcdefgh"), st.integers(1, 10))))
def test_a_hit_is_always_true(steps):
    """Forgetting is allowed, inventing is not."""
    seen, truth = SeenUrls(capacity=4), {}
    for is_confirmed, key, priority in steps:
        if is_confirmed:
            seen.add([(key, priority)])
            truth[key] = max(truth.get(key, 0), priority)
        elif not seen.unknown([key], priority):
            assert truth[key] >= priority
    assert len(seen) <= 4


def test_keys_of_a_batch_are_known_until_it_is_committed_and_not_longer():
    seen = SeenUrls()
    seen.expect([("a", 5)])

    assert seen.unknown(["a", "b"], 5) == ["b"]
    assert seen.unknown(["a"], 6) == ["a"]
    seen.begin_write()
    assert seen.unknown(["a"], 5) == []
    seen.begin_write()
    assert seen.unknown(["a"], 5) == ["a"]


def test_a_confirmed_link_is_recognised_by_its_spelling_up_to_its_priority():
    seen = SeenUrls()
    seen.add([("1.7 http://a.test/x", 5)])
    recognise(seen, "a", {"1.7 http://a.test/x": "/x", "1.7 http://a.test/y": "/y"}, 5)
    recognise(seen, "", {"1.7 http://a.test/x": "http://a.test/x"}, 5)

    assert seen.unrecognised(("a", ""), links("/x", "/y", "http://a.test/x"), 5) == ["/y"]
    assert seen.unrecognised(("a", ""), links("/x", "http://a.test/x"), 6) == ["/x", "http://a.test/x"]
    assert seen.unrecognised(("b", ""), links("/x", "http://a.test/x"), 5) == ["/x"]


def test_only_links_with_a_confirmed_key_at_this_priority_are_confirmed():
    seen = SeenUrls()
    seen.add([("a", 5), ("b", 4)])
    seen.expect([("c", 5)])

    assert seen.confirmed({"a": "/a", "b": "/b", "c": "/c", "d": "/d"}, 5) == ["/a"]


def test_unrecognised_links_keep_the_order_of_the_page():
    seen = SeenUrls()
    seen.add([("b", 5)])
    recognise(seen, "place", {"b": "/b"}, 5)

    assert seen.unrecognised(("place", ""), links("/z", "/b", "/y", "/a", "/x"), 5) == [
        "/z",
        "/y",
        "/a",
        "/x",
    ]


def test_a_spelling_is_recognised_at_every_priority_up_to_that_of_its_key():
    seen = SeenUrls()
    seen.add([("a", 7)])
    for priority in (4, 7, 8):
        recognise(seen, "place", {"a": "/a"}, priority)

    assert seen.unrecognised(("place", ""), links("/a"), 4) == []
    assert seen.unrecognised(("place", ""), links("/a"), 7) == []
    assert seen.unrecognised(("place", ""), links("/a"), 8) == ["/a"]


def test_links_of_a_batch_are_not_recognised_by_their_spelling_before_its_commit():
    seen = SeenUrls()
    seen.expect([("a", 5)])
    recognise(seen, "place", {"a": "/a"}, 5)

    assert seen.unrecognised(("place", ""), links("/a"), 5) == ["/a"]


def test_spellings_are_forgotten_with_their_keys():
    seen = SeenUrls()
    seen.add([("a", 5)])
    recognise(seen, "place", {"a": "/a"}, 5)
    seen.forget()

    assert seen.unrecognised(("place", ""), links("/a"), 5) == ["/a"]


def test_spellings_are_bounded():
    seen = SeenUrls(capacity=400)
    for number in range(1_000):
        seen.add([(str(number), 5)])
        recognise(seen, "place", {str(number): f"/{number}"}, 5)

    hrefs = [f"/{number}" for number in range(1_000)]
    assert 0 < len(hrefs) - len(seen.unrecognised(("place", ""), links(*hrefs), 5)) <= 102
