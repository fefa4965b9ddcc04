"""The links of a page as bytes: the same as a mapping of texts."""

from hypothesis import given
from hypothesis import strategies as st

from outrider.hrefs import Hrefs, texts_of

TEXTS = st.text(st.characters(exclude_characters="\0"), min_size=1, max_size=12)
LINKS = st.dictionaries(TEXTS, st.booleans(), max_size=12)
FEW = st.sampled_from(["/a", "/b", "/ab", "b", "/a/b", "a"])


@given(LINKS)
def test_links_come_out_as_they_went_in(links):
    hrefs = Hrefs.of(links)

    assert hrefs.with_nofollow() == links
    assert (list(hrefs), len(hrefs)) == (list(links), len(links))
    assert texts_of(hrefs.encoded) == list(links)


@given(LINKS)
def test_followed_links_are_those_without_nofollow(links):
    followed = Hrefs.of(links).followed()

    assert followed == Hrefs.of({href: False for href, is_nofollow in links.items() if not is_nofollow})


@given(st.dictionaries(FEW, st.booleans()), st.lists(FEW, unique=True), st.lists(FEW, max_size=2))
def test_links_behind_others_are_each_there_once(links, first, left_out):
    first = [href for href in first if href not in left_out]

    merged = Hrefs.of(links).behind(first, left_out)

    rest = {href: links[href] for href in links if href not in first and href not in left_out}
    assert merged == Hrefs.of(dict.fromkeys(first, False) | rest)
