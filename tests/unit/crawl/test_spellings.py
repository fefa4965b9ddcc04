"""Links that are known as pages spell them: in Python and compiled, the answers are the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outrider.crawl.spellings import CompiledSpellings, PythonSpellings, Spellings, spellings
from outrider.extract.native.choice import NATIVE, PYTHON, choose_scan, load
from outrider.extract.native.library import Library
from outrider.extract.native.sources import BUILT
from outrider.hrefs import Hrefs

SITE, ELSEWHERE, EVERYWHERE = "1.7 http://a.test", "1.7 http://b.test", "1.7 "
HREFS = st.one_of(
    st.sampled_from(
        ["/", "/a", "/b", "//c.test/", "http://a.test/a", "https://a.test/a", "a", "?p=2", "/ä/ß"]
    ),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=40),
)
STEPS = st.lists(
    st.tuples(
        st.booleans(),
        st.sampled_from([SITE, ELSEWHERE, EVERYWHERE]),
        st.lists(HREFS, max_size=40, unique=True),
        st.integers(1, 3),
    ),
    max_size=12,
)


def links(*hrefs: str) -> Hrefs:
    return Hrefs.of(dict.fromkeys(hrefs, False))


def library() -> Library:
    found = load(BUILT)
    if found.library is None:
        pytest.skip(f"there is no compiled scan: {found.why}")
    return found.library


@pytest.fixture(params=["in Python", "compiled"])
def known(request: pytest.FixtureRequest) -> Spellings:
    return PythonSpellings(100) if request.param == "in Python" else CompiledSpellings(library(), 100)


def test_a_link_from_the_root_is_known_on_its_site_alone(known: Spellings):
    known.recognise(SITE, ["/x", "/y"], 5)

    assert known.unrecognised((SITE, EVERYWHERE), links("/y", "/z", "/x"), 5) == ["/z"]
    assert known.unrecognised((ELSEWHERE, EVERYWHERE), links("/x", "/y"), 5) == ["/x", "/y"]


def test_a_link_that_is_written_out_is_known_everywhere(known: Spellings):
    known.recognise(EVERYWHERE, ["http://a.test/x"], 5)

    assert known.unrecognised((ELSEWHERE, EVERYWHERE), links("http://a.test/x"), 5) == []


def test_a_link_is_known_at_the_priority_of_its_place(known: Spellings):
    known.recognise(SITE, ["/x"], 5)

    assert known.unrecognised((SITE, EVERYWHERE), links("/x"), 6) == ["/x"]


def test_a_link_is_not_known_by_its_beginning(known: Spellings):
    known.recognise(SITE, ["/12345678", "/123456789abcdef"], 5)

    others = ("/1234567", "/123456789", "/12345678\u0001", "/123456789abcdeg")
    assert known.unrecognised((SITE, EVERYWHERE), links(*others), 5) == list(others)


def test_unknown_links_keep_their_order_on_a_page_with_many(known: Spellings):
    pages = [f"/page/{number}" for number in range(1_000)]
    known.recognise(SITE, pages[::3], 5)

    assert known.unrecognised((SITE, EVERYWHERE), links(*pages), 5) == [
        page for number, page in enumerate(pages) if number % 3
    ]


def test_a_page_without_links_has_no_unknown_ones(known: Spellings):
    assert known.unrecognised((SITE, EVERYWHERE), Hrefs(), 5) == []


def test_all_are_forgotten_when_there_are_too_many(known: Spellings):
    known.recognise(SITE, [f"/{number}" for number in range(101)], 5)
    known.recognise(SITE, ["/last"], 5)

    assert known.unrecognised((SITE, EVERYWHERE), links("/1", "/last"), 5) == ["/1"]


def test_nothing_is_known_after_forgetting(known: Spellings):
    known.recognise(SITE, ["/x"], 5)
    known.forget()

    assert known.unrecognised((SITE, EVERYWHERE), links("/x"), 5) == ["/x"]


@given(STEPS)
def test_the_compiled_set_answers_as_the_one_in_python(steps):
    reference, compiled = PythonSpellings(60), CompiledSpellings(library(), 60)
    for is_addition, place, hrefs, priority in steps:
        if is_addition:
            begins = [href for href in hrefs if (href[0] == "/") is (place != EVERYWHERE)]
            reference.recognise(place, begins, priority)
            compiled.recognise(place, begins, priority)
        else:
            asked = (ELSEWHERE if place == ELSEWHERE else SITE, EVERYWHERE)
            found = compiled.unrecognised(asked, links(*hrefs), priority)
            assert found == reference.unrecognised(asked, links(*hrefs), priority)


def test_the_set_is_compiled_where_the_scan_is():
    library()
    try:
        choose_scan(PYTHON)
        assert isinstance(spellings(100), PythonSpellings)
        choose_scan(NATIVE)
        assert isinstance(spellings(100), CompiledSpellings)
    finally:
        choose_scan("auto")
