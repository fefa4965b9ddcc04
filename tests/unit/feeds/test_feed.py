"""Whole feeds."""

import gzip
from datetime import UTC, datetime

import pytest

from outrider.errors import InvalidFeed
from outrider.feeds import Enclosure, parse_feed
from outrider.feeds.limits import MAX_ENTRIES, MAX_TEXTS, MAX_TITLE

URL = "https://site.example/blog/feed.xml"
MOMENT = datetime(2021, 3, 4, 5, 6, 7, tzinfo=UTC)
LATER = datetime(2021, 3, 5, tzinfo=UTC)

RSS_20 = """<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/"
  xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:media="http://search.yahoo.com/mrss/">
<channel>
  <title>The Site</title><link>https://site.example/</link><description>All of it</description>
  <language>en_GB</language><managingEditor>ed@site.example (Ed)</managingEditor><ttl>30</ttl>
  <lastBuildDate>Fri, 05 Mar 2021 00:00:00 GMT</lastBuildDate>
  <atom:link rel="self" href="https://site.example/feed.xml"/><atom:link rel="hub" href="https://hub.example/"/>
  <item>
    <title>One &amp; only</title><link>/one</link><guid isPermaLink="false">id-1</guid>
    <dc:creator>Ann</dc:creator><category>Sea</category><category domain="x">Land</category>
    <pubDate>Thu, 04 Mar 2021 05:06:07 GMT</pubDate>
    <description>&lt;p onclick="x"&gt;Short&lt;/p&gt;</description>
    <content:encoded><![CDATA[<p>Long <a href="two">two</a></p>]]></content:encoded>
    <enclosure url="/one.mp3" type="audio/mpeg" length="123"/><comments>https://site.example/one#c</comments>
    <media:group><media:content url="/one.mp4" type="video/mp4" fileSize="9"/></media:group>
  </item>
</channel></rss>"""

RSS_10 = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
  xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel rdf:about="https://site.example/"><title>The Site</title><link>https://site.example/</link></channel>
<item rdf:about="https://site.example/one"><title>One</title><link>https://site.example/one</link>
  <dc:date>2021-03-04T05:06:07Z</dc:date><dc:creator>Ann</dc:creator></item>
</rdf:RDF>"""

ATOM_10 = """<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="fr" xml:base="https://site.example/">
<title type="html">The &lt;i&gt;Site&lt;/i&gt;</title><link href="/"/><id>tag:site.example</id>
<updated>2021-03-05T00:00:00Z</updated><author><name>Ann</name></author>
<entry xml:base="news/"><title>One &amp; only</title><id>tag:site.example,1</id><link href="one"/>
  <published>2021-03-04T05:06:07Z</published><updated>2021-03-05T00:00:00Z</updated><category term="Sea"/>
  <summary type="html">&lt;a href="two"&gt;Short</summary><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><b>Long</b></div></content>
  <link rel="enclosure" href="one.mp3" type="audio/mpeg" length="123"/></entry>
</feed>"""

ATOM_03 = """<feed version="0.3" xmlns="http://purl.org/atom/ns#"><title>The Site</title>
<link rel="alternate" type="text/html" href="https://site.example/"/><modified>2021-03-05T00:00:00Z</modified>
<entry><title>One</title><link rel="alternate" href="https://site.example/one"/><id>tag:site.example,1</id>
<author><name>Ann</name></author><issued>2021-03-04T05:06:07Z</issued><modified>2021-03-05T00:00:00Z</modified></entry>
</feed>"""

RSS_091 = """<rss version="0.91"><channel><title>The Site</title><link>https://site.example/</link>
<item><title>One</title><link>https://site.example/one</link></item></channel></rss>"""


def rss(items: str, channel: str = "<link>https://site.example/</link>") -> bytes:
    return f'<rss version="2.0"><channel>{channel}{items}</channel></rss>'.encode()


def only_entry(items: str):
    (entry,) = parse_feed(rss(items), URL).entries
    return entry


def test_an_rss_feed_says_everything_it_has():
    feed = parse_feed(RSS_20.encode(), URL)
    entry = feed.entries[0]

    assert (feed.title, feed.link, feed.description) == ("The Site", "https://site.example/", "All of it")
    assert (feed.language, feed.author, feed.updated_at) == ("en-GB", "Ed (ed@site.example)", LATER)
    assert (feed.self_url, feed.hub) == ("https://site.example/feed.xml", "https://hub.example/")
    assert (feed.ttl_minutes, feed.skip_hours, feed.skip_days, feed.update_period_s) == (
        30,
        set(),
        set(),
        None,
    )
    assert (entry.url, entry.title, entry.id) == ("https://site.example/one", "One & only", "id-1")
    assert (entry.author, entry.categories) == ("Ann", ("Sea", "Land"))
    assert entry.summary == "<p>Short</p>"
    assert entry.content == '<p>Long <a href="https://site.example/two">two</a></p>'
    assert (entry.published_at, entry.updated_at) == (MOMENT, None)
    assert entry.enclosures == (
        Enclosure("https://site.example/one.mp3", "audio/mpeg", 123),
        Enclosure("https://site.example/one.mp4", "video/mp4", 9),
    )
    assert entry.comments_url == "https://site.example/one#c"


def test_categories_within_categories_are_categories():
    """FED-05."""
    entry = only_entry(
        '<item><itunes:category text="Arts"><itunes:category text="Books"/></itunes:category>'
        '<itunes:category text="News"/></item>',
    )

    assert entry.categories == ("Arts", "Books", "News")


def test_keywords_are_categories_too():
    entry = only_entry(
        "<item><category>Sea</category><itunes:keywords>Land, Sea,,sky </itunes:keywords></item>",
    )

    assert entry.categories == ("Sea", "Land", "sky")


def test_a_list_of_tags_is_a_list_of_categories():
    assert only_entry("<item><tags>Sea, Land</tags></item>").categories == ("Sea", "Land")


def test_of_a_description_and_a_summary_the_second_is_the_content():
    entry = only_entry("<item><description>Long</description><summary>Short</summary></item>")
    other = only_entry("<item><summary>Short</summary><description>Long</description></item>")
    whole = only_entry("<item><summary>S</summary><description>D</description><content>C</content></item>")

    assert (entry.summary, entry.content) == ("Long", "Short")
    assert (other.summary, other.content) == ("Short", "Long")
    assert (whole.summary, whole.content) == ("D", "C")


@pytest.mark.parametrize(
    ("written", "url"),
    [("/one#c", "https://site.example/one#c"), ("12", None), ("https://a.example/", "https://a.example/")],
)
def test_comments_may_be_at_a_relative_address(written, url):
    assert only_entry(f"<item><comments>{written}</comments></item>").comments_url == url


def test_a_parameter_named_like_a_character_stays_a_parameter():
    entry = only_entry(
        '<item><link>/a?x=1&copy=2&amp;y=3</link><enclosure url="/b?x=1&reg=2&amp;y=3"/></item>'
    )

    assert entry.url == "https://site.example/a?x=1&copy=2&y=3"
    assert entry.enclosures[0].url == "https://site.example/b?x=1&reg=2&y=3"


def test_an_atom_feed_says_everything_it_has():
    feed = parse_feed(ATOM_10.encode(), "https://elsewhere.example/")
    entry = feed.entries[0]

    assert (feed.title, feed.link, feed.id) == (
        "The <i>Site</i>",
        "https://site.example/",
        "tag:site.example",
    )
    assert (feed.language, feed.author, feed.updated_at) == ("fr", "Ann", LATER)
    assert (entry.url, entry.title) == ("https://site.example/news/one", "One & only")
    assert (entry.author, entry.content) == ("Ann", "<b>Long</b>")
    assert entry.summary == '<a href="https://site.example/news/two">Short</a>'
    assert (entry.published_at, entry.updated_at) == (MOMENT, LATER)
    assert entry.enclosures == (Enclosure("https://site.example/news/one.mp3", "audio/mpeg", 123),)


@pytest.mark.parametrize("text", [RSS_10, ATOM_03, RSS_091], ids=["RSS 1.0", "Atom 0.3", "RSS 0.91"])
def test_the_older_formats_are_read(text):
    feed = parse_feed(text.encode(), URL)

    assert (feed.title, feed.link) == ("The Site", "https://site.example/")
    assert [(entry.url, entry.title) for entry in feed.entries] == [("https://site.example/one", "One")]
    if text is not RSS_091:
        assert (feed.entries[0].author, feed.entries[0].published_at) == ("Ann", MOMENT)


@pytest.mark.parametrize(
    ("channel", "link", "url"),
    [
        pytest.param(
            "<link>https://site.example/a/</link>", "post", "https://site.example/a/post", id="feed's link"
        ),
        pytest.param("", "post", "https://site.example/blog/post", id="feed's own address"),
        pytest.param(
            "<link>/home/</link>", "post", "https://site.example/home/post", id="a relative feed link"
        ),
        pytest.param("", "//cdn.example/post", "https://cdn.example/post", id="only the scheme missing"),
        pytest.param(
            "", "https://b.example/?utm_source=rss", "https://b.example/?utm_source=rss", id="as written"
        ),
    ],
)
def test_relative_links_resolve_against_the_feed(channel, link, url):
    feed = parse_feed(rss(f"<item><link>{link}</link></item>", channel), URL)

    assert feed.entries[0].url == url


@pytest.mark.parametrize(
    ("item", "url"),
    [
        ("<guid>https://site.example/g</guid>", "https://site.example/g"),
        ('<guid isPermaLink="true">https://site.example/g</guid>', "https://site.example/g"),
        ('<guid isPermaLink="false">https://site.example/g</guid>', None),
        ('<guid isPermaLink="true">g/1</guid>', "https://site.example/g/1"),
        ('<guid isPermaLink="true">4711</guid>', None),
        ("<guid>urn:uuid:1</guid>", None),
        ("<guid>g/1</guid>", None),
        ("<id>https://site.example/i</id>", "https://site.example/i"),
        ("<id>tag:site.example,2024:1</id>", None),
        ('<media:group><media:player url="/play"/></media:group>', "https://site.example/play"),
        ("<guid>https://site.example/g</guid><link>/l</link>", "https://site.example/l"),
        (
            "<link>https://proxy.example/</link><feedburner:origLink>https://site.example/o</feedburner:origLink>",
            "https://site.example/o",
        ),
        ("<link>javascript:alert(1)</link>", None),
        ("<link>file:///etc/passwd</link>", None),
        ("<link><![CDATA[ /c ]]></link>", "https://site.example/c"),
        ("<link>https://site.example/?a=1&b=2</link>", "https://site.example/?a=1&b=2"),
    ],
)
def test_which_address_an_entry_has(item, url):
    assert only_entry(f"<item><title>x</title>{item}</item>").url == url


def test_an_item_of_rdf_that_has_no_link_is_named_by_its_address():
    assert only_entry('<item rdf:about="https://site.example/r"/>').url == "https://site.example/r"
    assert only_entry('<item rdf:about="urn:r"/>').url is None


@pytest.mark.parametrize(
    "item",
    [
        "<media:title>t</media:title><media:description>d</media:description>",
        "<media:group><media:title>t</media:title><media:description>d</media:description></media:group>",
        "<media:content><media:title>t</media:title></media:content>"
        "<media:group><media:content><media:description>d</media:description></media:content></media:group>",
    ],
)
def test_what_is_said_of_the_media_is_said_of_the_entry(item):
    entry = only_entry(f"<item>{item}</item>")

    assert (entry.title, entry.summary) == ("t", "d")


@pytest.mark.parametrize(
    ("item", "published", "updated"),
    [
        ("<pubDate>2021-03-04T05:06:07Z</pubDate>", MOMENT, None),
        ("<dc:date>2021-03-04T05:06:07Z</dc:date>", MOMENT, MOMENT),
        ("<pubDate>Soon</pubDate><dc:date>2021-03-04T05:06:07Z</dc:date>", MOMENT, MOMENT),
        ("<pubDate>2021-03-04T05:06:07Z</pubDate><atom:updated>2021-03-05</atom:updated>", MOMENT, LATER),
        ("<pubDate>Soon</pubDate>", None, None),
    ],
)
def test_which_dates_an_entry_has(item, published, updated):
    entry = only_entry(f"<item>{item}</item>")

    assert (entry.published_at, entry.updated_at) == (published, updated)


@pytest.mark.parametrize(
    "text", ["<title>Owl Post</titel>", "<description>All the news", "<title><description>"]
)
def test_a_text_of_the_feed_that_is_never_closed_costs_no_entry(text):
    feed = parse_feed(rss("<item><link>/1</link></item><item><link>/2</link></item>", channel=text), URL)

    assert [entry.url[-2:] for entry in feed.entries] == ["/1", "/2"]


def test_a_bad_entry_costs_only_itself():
    feed = parse_feed(
        rss(
            "<item><title>1 < 2 &nope; <b>x</title><link>/1</link><pubDate>never</pubDate></item>"
            "<item><link>http://[::</link></item><item></item>"
            "<item><title>unclosed<item><title>last</title><link>/4</link></item>"
        ),
        URL,
    )

    assert [entry.url for entry in feed.entries] == [
        "https://site.example/1",
        None,
        None,
        None,
        "https://site.example/4",
    ]
    assert [feed.entries[0].title, feed.entries[4].title] == ["1 < 2 &nope; <b>x", "last"]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(RSS_091.encode(), id="as it is"),
        pytest.param(RSS_091.encode()[:-25], id="cut short"),
        pytest.param(b"\n\n \xef\xbb\xbf" + RSS_091.encode(), id="after white space and a mark"),
        pytest.param(
            b"Warning: mysql_connect() failed<br />\n" + RSS_091.encode(), id="after an error message"
        ),
        pytest.param(gzip.compress(RSS_091.encode()), id="as a gzip file"),
        pytest.param(RSS_091.encode("utf-16"), id="in UTF-16"),
        pytest.param(RSS_091.replace("<", "\x00<").encode(), id="with NULs"),
        pytest.param(
            f"<html><body>{RSS_091}</body></html>".replace("body", "div").encode(), id="inside a page"
        ),
    ],
)
def test_a_feed_is_read_however_it_is_packed(body):
    feed = parse_feed(body, URL, "text/html")

    assert [(entry.title, entry.url) for entry in feed.entries] == [("One", "https://site.example/one")]


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"", "no markup"),
        (b"just text", "no markup"),
        (b"<!DOCTYPE html><html><head><title>x</title></head><body>y</body></html>", "an HTML page"),
        (b"<urlset><url><loc>https://a.example/</loc></url></urlset>", "begins with <urlset>"),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "no markup"),
        (b'{"a": 1}', "no JSON Feed"),
        (b'{"items": [', "JSON is broken"),
    ],
)
def test_what_is_no_feed_is_refused_with_a_reason(body, why):
    with pytest.raises(InvalidFeed, match=why):
        parse_feed(body, URL)


def test_entities_are_neither_expanded_nor_loaded():
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
    body = (
        f'<!DOCTYPE rss [<!ENTITY l0 "lol">{laughs}<!ENTITY x SYSTEM "file:///etc/passwd">'
        '<!ENTITY % p SYSTEM "http://127.0.0.1:9/"> %p;]>'
        "<rss><channel><title>&l11;&x;</title><item><title>&l0;</title></item></channel></rss>"
    ).encode()

    feed = parse_feed(body, URL)

    assert feed.title == "&l11;&x;"
    assert feed.entries[0].title == "&l0;"


def test_sizes_and_counts_end():
    many = parse_feed(rss("<item/>" * (MAX_ENTRIES + 500)), URL)
    long = only_entry(f"<item><title>{'x' * 5_000_000}</title></item>")
    long_markup = only_entry(f"<item><title>{'&lt;i&gt;word&lt;/i&gt; ' * 100_000}</title></item>")
    texts = parse_feed(rss(f"<item><description>{'x' * (MAX_TEXTS // 2)}</description></item>" * 4), URL)

    assert len(many.entries) == MAX_ENTRIES
    assert len(long.title) == MAX_TITLE
    assert len(long_markup.title) < 2 * MAX_TITLE
    assert long_markup.title.count("<i>") == long_markup.title.count("</i>") > 10
    assert [entry.summary is None for entry in texts.entries] == [False, False, True, True]


def test_a_feed_without_a_name_goes_by_its_address():
    assert parse_feed(rss("", channel=""), URL).title == URL
    assert parse_feed(rss(""), URL).title == "https://site.example/"
    assert (
        only_entry("<item><link>/x</link><description>Some &lt;b&gt;text</description></item>").title
        == "Some text"
    )
    assert only_entry("<item><link>/x</link></item>").title == "https://site.example/x"
