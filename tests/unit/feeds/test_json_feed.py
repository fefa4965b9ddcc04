"""JSON Feed."""

import json
from datetime import UTC, datetime

import pytest

from outrider.errors import InvalidFeed
from outrider.feeds import Enclosure, parse_feed
from outrider.feeds.limits import MAX_ENTRIES

URL = "https://site.example/feed.json"
VERSION = "https://jsonfeed.org/version/1.1"


def feed_of(**fields):
    return parse_feed(json.dumps({"version": VERSION, **fields}).encode(), URL)


def entry_of(**fields):
    (entry,) = feed_of(items=[fields]).entries
    return entry


def test_a_json_feed_says_everything_it_has():
    feed = feed_of(
        title="The Site",
        home_page_url="https://site.example/",
        feed_url="/feed.json",
        next_url="/feed.json?page=2",
        description="All of it",
        language="en",
        authors=[{"name": "Ann"}, {"name": "Bob"}],
        hubs=[{"type": "WebSub", "url": "https://hub.example/"}],
        items=[
            {
                "id": 7,
                "url": "/one",
                "title": "One & only",
                "content_html": "<p onclick=x>Long",
                "summary": "Short",
                "date_published": "2021-03-04T05:06:07Z",
                "date_modified": "2021-03-05T00:00:00Z",
                "tags": ["Sea", "Land", 3],
                "attachments": [
                    {"url": "one.mp3", "mime_type": "audio/mpeg", "size_in_bytes": 123},
                    {"url": "x:y"},
                ],
            }
        ],
    )
    entry = feed.entries[0]

    assert (feed.title, feed.link, feed.description) == ("The Site", "https://site.example/", "All of it")
    assert (feed.language, feed.author, feed.hub) == ("en", "Ann, Bob", "https://hub.example/")
    assert (feed.self_url, feed.next_url) == (URL, f"{URL}?page=2")
    assert (entry.id, entry.url, entry.title) == ("7", "https://site.example/one", "One & only")
    assert (entry.summary, entry.content, entry.author) == ("Short", "<p>Long</p>", "Ann, Bob")
    assert entry.published_at == datetime(2021, 3, 4, 5, 6, 7, tzinfo=UTC)
    assert entry.updated_at == datetime(2021, 3, 5, tzinfo=UTC)
    assert entry.categories == ("Sea", "Land")
    assert entry.enclosures == (Enclosure("https://site.example/one.mp3", "audio/mpeg", 123),)


@pytest.mark.parametrize(
    ("fields", "url"),
    [
        ({"url": "/a", "external_url": "https://b.example/"}, "https://site.example/a"),
        ({"external_url": "https://b.example/"}, "https://b.example/"),
        ({"id": "https://site.example/i"}, "https://site.example/i"),
        ({"id": "i"}, None),
        ({"url": "javascript:alert(1)"}, None),
        ({"url": ["/a"]}, None),
    ],
)
def test_which_address_an_item_has(fields, url):
    assert entry_of(**fields).url == url


@pytest.mark.parametrize(
    ("fields", "author"),
    [
        ({"author": {"name": "Ann"}}, "Ann"),
        ({"authors": [{"name": "Ann"}], "author": {"name": "Bob"}}, "Ann, Bob"),
        ({"authors": [{"name": "Ann"}, {"name": "Ann"}, {"url": "x"}, "Bob"]}, "Ann, Bob"),
        ({"authors": [{"url": "https://ann.example/"}]}, "https://ann.example/"),
        ({"author": {"url": "mailto:ann@site.example"}}, "ann@site.example"),
        ({"authors": "Ann"}, "Ann"),
        ({"authors": {"name": "Ann"}}, "Ann"),
        ({"author": ["Ann", {"name": "Bob"}]}, "Ann, Bob"),
        ({"authors": [None, 7, ["Ann"]], "author": True}, None),
        ({"author": "Ann"}, "Ann"),
    ],
)
def test_who_wrote_an_item(fields, author):
    assert entry_of(**fields).author == author


def test_text_that_would_run_as_markup_is_made_safe():
    entry = entry_of(
        title="<script>alert(1)</script>Title", content_text="1 < 2 <img src=x onerror=alert(1)>"
    )

    assert entry.title == "Title"
    assert entry.content == '1 &lt; 2 <img src="https://site.example/x" />'


@pytest.mark.parametrize(
    "body", ["{", "{}", '{"title": "x"}', '{"items": {}}', '{"items": ' + "[" * 100_000, '{"a":' * 100_000]
)
def test_other_json_is_refused(body):
    with pytest.raises(InvalidFeed):
        parse_feed(body.encode(), URL)


def test_the_number_of_items_ends():
    assert len(feed_of(items=[{"id": "x"}] * (MAX_ENTRIES + 1)).entries) == MAX_ENTRIES
