import re
from datetime import date
from math import prod
from urllib.parse import urljoin

import pytest

from outrider.demo.traps import FACETS, calendar, maps, market, month_in


@pytest.mark.parametrize(
    ("text", "month"),
    [
        ("2031-05", date(2031, 5, 1)),
        ("0002-01", date(2, 1, 1)),
        ("9998-12", date(9998, 12, 1)),
        ("9999-01", None),
        ("0001-12", None),
        ("2031-13", None),
        ("2031-5", None),
        ("2031/05", None),
        ("٢٠٣١-٠٥", None),
        ("²031-05", None),
        ("", None),
        ("2031-05" * 1000, None),
    ],
)
def test_only_whole_months_that_have_neighbours_are_shown(text, month):
    assert month_in(text) == month


@pytest.mark.parametrize(
    ("month", "neighbours"),
    [
        ((2031, 5), ["2031-04", "2031-06"]),
        ((2031, 1), ["2030-12", "2031-02"]),
        ((2031, 12), ["2031-11", "2032-01"]),
        ((9998, 12), ["9998-11", "9999-01"]),
    ],
)
def test_a_month_links_to_the_ones_beside_it(month, neighbours):
    markup = calendar(date(*month, 1))

    article = markup[markup.index("<article") : markup.index("</article>")]
    assert re.findall(r"month=(\d{4}-\d\d)", article) == neighbours


def test_every_way_of_looking_at_the_market_shows_the_same_things():
    views = [market({facet: values[-1]}) for facet, values in FACETS.items()] + [
        market({}),
        market({"sort": "?"}),
    ]

    wares = [sorted(re.findall(r"<li>(.*?)</li>", view)) for view in views]
    assert all(shown == wares[0] for shown in wares)
    assert prod(len(values) for values in FACETS.values()) == 288


def test_market_links_always_carry_every_facet():
    links = re.findall(r'href="/market\?([^"]+)"', market({"colour": "blue"}))

    assert {tuple(pair.split("=")[0] for pair in link.split("&amp;")) for link in links} == {tuple(FACETS)}


def test_each_map_is_one_folder_deeper_than_the_last():
    url = "http://courier.test/maps"
    [href, _] = re.findall(r'<li><a href="([^"]+)"', maps())
    for _ in range(4):
        url = urljoin(url, href)

    assert url == "http://courier.test/maps/maps/maps/maps/northern"
