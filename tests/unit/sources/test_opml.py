"""OPML: what feed readers write, what we write, and what nobody should."""

import pytest
from tests.support.sources import watched

from outrider.errors import InvalidInput
from outrider.frontier.model import EntryKind
from outrider.sources.importer import read_import
from outrider.sources.opml import read_opml, write_opml
from outrider.sources.source_changes import read_changes


def rows(body: str) -> list[dict[str, list[str]]]:
    return [dict(row.values) for row in read_opml(f"<opml><body>{body}</body></opml>".encode()).rows]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        pytest.param(
            '<outline text="A" title="The A" type="rss" xmlUrl="https://a.de/feed" htmlUrl="https://a.de/"/>',
            [{"name": ["The A"], "url": ["https://a.de/"], "feed": ["https://a.de/feed"]}],
            id="a feed and its site",
        ),
        pytest.param(
            '<outline text="News"><outline text="A" type="rss"/></outline>',
            [{"name": ["A"], "labels": ["News"]}],
            id="a feed that does not say where: whoever imports it is told so",
        ),
        pytest.param(
            '<outline text="A" xmlurl="https://a.de/feed"/>',
            [{"name": ["A"], "feed": ["https://a.de/feed"]}],
            id="a feed alone, in small letters",
        ),
        pytest.param(
            '<outline text="News"><outline text="Berlin, Ost"><outline text="A" xmlUrl="https://a.de/f"/></outline></outline>',
            [{"name": ["A"], "feed": ["https://a.de/f"], "labels": ["News, Berlin  Ost"]}],
            id="folders are labels",
        ),
        pytest.param(
            '<outline text="A" xmlUrl="https://a.de/f" category="/Sport/Chess,local"/>',
            [{"name": ["A"], "feed": ["https://a.de/f"], "labels": ["Sport, Chess, local"]}],
            id="categories are labels",
        ),
        pytest.param(
            '<outline text="A" htmlUrl="https://a.de/"><outline xmlUrl="https://a.de/1"/><outline xmlUrl="https://a.de/2"/></outline>',
            [{"name": ["A"], "url": ["https://a.de/"], "feed": ["https://a.de/1", "https://a.de/2"]}],
            id="a site with several feeds",
        ),
        pytest.param(
            '<outline text="A" xmlUrl="https://a.de/f?x=1&y=2"/>',
            [{"name": ["A"], "feed": ["https://a.de/f?x=1&y=2"]}],
            id="an ampersand nobody escaped",
        ),
        pytest.param(
            '<outline text="A &eacute; &copy=1 &nosuch;" xmlUrl="https://a.de/f"/>',
            [{"name": ["A é &copy=1 &nosuch;"], "feed": ["https://a.de/f"]}],
            id="references that only HTML knows",
        ),
        pytest.param(
            '<outline text="X"><outline text="A" xmlUrl="https://a.de/f"/></outline>'
            '<outline text="Y"><outline text=" A " xmlUrl=" https://a.de/f "/></outline>',
            [{"name": ["A"], "feed": ["https://a.de/f"], "labels": ["X, Y"]}],
            id="one feed in two folders",
        ),
        pytest.param('<outline text="Empty folder"/><outline/>', [], id="nothing to watch"),
    ],
)
def test_outlines_are_sources(body, said):
    assert rows(body) == said


@pytest.mark.parametrize(
    "outline",
    [
        '<outline text="More" type="include" url="https://a.de/more"/>',
        '<outline text="More" type="link" url="https://a.de/more.OPML"/>',
        '<outline text="More" type="source" xmlUrl="https://a.de/more"/>',
    ],
)
def test_a_list_elsewhere_is_no_source_but_worth_a_note(outline):
    read = read_opml(f"<opml>{outline}</opml>".encode())

    assert (read.rows, len(read.notes)) == ([], 1)
    assert "https://a.de/more" in read.notes[0]


def test_a_file_is_read_in_the_encoding_it_has_whatever_it_claims():
    claims = (
        '<?xml version="1.0" encoding="UTF-8"?><opml><outline text="Café" xmlUrl="https://a.de/f"/></opml>'
    )

    assert read_opml(claims.encode("cp1252")).rows[0].values["name"] == ["Café"]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        pytest.param(
            b'<!DOCTYPE opml [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><opml><outline text="&b;"/></opml>',
            "declares XML entities",
            id="entities",
        ),
        pytest.param(
            b'<!DOCTYPE opml [<!ENTITY x SYSTEM "file:///etc/passwd">]><opml/>',
            "declares XML entities",
            id="a file",
        ),
        pytest.param(b"<opml>" + b"<outline>" * 200, "nested more than 100 deep", id="too deep"),
        pytest.param(
            b"<opml>" + b"<outline/>" * 20_001 + b"</opml>", "more than 20,000 outlines", id="too many"
        ),
        pytest.param(b"<rss/>", "not OPML", id="a feed"),
        pytest.param(b"<opml>", "not well-formed", id="cut off"),
    ],
)
def test_a_hostile_file_is_refused_with_a_reason(content, why):
    with pytest.raises(InvalidInput, match=why):
        read_opml(content)


def test_what_is_written_reads_back_as_the_same():
    said = {
        "name": 'A "quoted" & <odd>\tname',
        "url": "https://a.de/?x=1&y=2",
        "mode": "both",
        "feed": ["https://a.de/feed?a=1&b=2"],
        "sitemap": ["https://a.de/sitemap.xml"],
        "labels": "News, Sport",
        "delay": "10s",
        "article_pattern": ["/a&b/", "/<c>/"],
        "selectors": '{"article": {"title": "h1 > a"}}',
    }
    several = {
        "name": "B",
        "url": "https://b.de/",
        "feed": ["https://b.de/1", "https://b.de/2"],
        "mode": "feed",
    }
    none = {"name": "C", "url": "https://c.de/", "mode": "spider"}
    all_changes = [read_changes(each).checked() for each in (said, several, none)]

    text = write_opml([_stored(changes) for changes in all_changes], "All & everything")

    assert [candidate.changes for candidate in read_import(text.encode()).candidates] == all_changes


def _stored(changes):
    new = changes.as_source()
    source = watched(**{name: getattr(new, name) for name in new.__dataclass_fields__})
    channels = [
        *((EntryKind.FEED, url) for url in changes.feeds),
        *((EntryKind.SITEMAP, url) for url in changes.sitemaps),
    ]
    return source, channels


def test_characters_that_no_xml_may_contain_are_left_out():
    text = write_opml([(watched(name="A\x00B\x1b\ud800"), [])], "x")

    [candidate] = read_import(text.encode()).candidates
    assert candidate.changes.name == "AB"
