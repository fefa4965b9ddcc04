"""What pages and headers ask of crawlers."""

import pytest

from outrider.extract.metadata.directives import Directives, from_header, from_meta

NOTHING = Directives()
NOINDEX = Directives(noindex=True)
NOFOLLOW = Directives(nofollow=True)
NEITHER = Directives(noindex=True, nofollow=True)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("index, follow", NOTHING),
        ("noindex", NOINDEX),
        ("NoFollow", NOFOLLOW),
        ("noindex,nofollow", NEITHER),
        ("noindex nofollow", NEITHER),
        ("none", NEITHER),
        ("max-snippet:-1, noindex", NOINDEX),
        ("noindexed", NOTHING),
        ("", NOTHING),
    ],
)
def test_meta_robots(content, expected):
    assert from_meta(content) == expected


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        pytest.param(None, NOTHING, id="no header"),
        pytest.param("noindex", NOINDEX, id="for everyone"),
        pytest.param("NOINDEX, NOFOLLOW", NEITHER, id="two at once, shouted"),
        pytest.param("outrider: noindex", NOINDEX, id="for us"),
        pytest.param("otherbot: noindex", NOTHING, id="for another"),
        pytest.param("otherbot: noindex, nofollow", NOTHING, id="a name rules what follows it"),
        pytest.param("otherbot: noindex, outrider: nofollow", NOFOLLOW, id="up to the next name"),
        pytest.param("nofollow, otherbot: noindex", NOFOLLOW, id="but not what came before"),
        pytest.param("max-snippet: 20, noindex", NOINDEX, id="a directive with a value is no name"),
        pytest.param(
            "unavailable_after: Sun, 25 Jun 2034 15:00:00 GMT, nofollow", NOFOLLOW, id="nor is a date"
        ),
        pytest.param(":, ,:", NOTHING, id="noise"),
    ],
)
def test_x_robots_tag(header, expected):
    assert from_header(header, "Outrider/0.1 (+https://example.org)") == expected


def test_the_stricter_of_two_wishes_holds():
    assert NOINDEX | NOFOLLOW == NEITHER
    assert NOTHING | NOINDEX == NOINDEX
