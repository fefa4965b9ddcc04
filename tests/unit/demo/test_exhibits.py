from html import unescape

import pytest
from selectolax.lexbor import LexborHTMLParser

from outrider.demo import Expect, tour
from outrider.demo.tour_page import tour_page

ANCHORS = {
    unescape(anchor.attributes["href"]): anchor.attributes.get("rel")
    for anchor in LexborHTMLParser(tour_page()).css("main a")
}


def test_each_exhibit_has_a_name_and_a_path_of_its_own():
    assert len({exhibit.name for exhibit in tour}) == len({exhibit.path for exhibit in tour}) == len(tour)


@pytest.mark.parametrize("exhibit", tour, ids=lambda exhibit: exhibit.name)
def test_the_tour_page_links_to(exhibit):
    rel = "nofollow" if exhibit.expect is Expect.UNSEEN else None

    assert ANCHORS[exhibit.path] == rel


def test_every_expectation_is_shown_by_some_exhibit():
    assert {exhibit.expect for exhibit in tour} == set(Expect)
