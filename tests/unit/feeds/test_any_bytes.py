"""Whatever arrives: a feed, a sitemap, or InvalidFeed, and in good time."""

import re
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from outrider.errors import InvalidFeed
from outrider.feeds import Feed, Sitemap, parse_feed, parse_sitemap

URL = "https://site.example/feed"
CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")

WRITTEN = """<rss> <channel> </channel> <item> </item> <feed xmlns="http://www.w3.org/2005/Atom"> <entry>
</entry> <title> </title> <link> </link> <link href="/x"/> <guid> <author> <name> <description> </description>
<content:encoded> <![CDATA[ ]]> <!-- --> <? ?> <!DOCTYPE [ ]> <!ENTITY & &amp; &#0; &#xD800; &#x110000; < >
" ' <pubDate> 2021-03-04 <urlset> <url> </url> <loc> </loc> <sitemapindex> <sitemap> <lastmod> xml:base="//"
type="html" type="xhtml" mode="base64" {"items":[{"url":"x"}]} http://a/ javascript:x é"""
PIECES = [*WRITTEN.split(" "), "\x00", "\x7f", "\ud800"]
TEXTS = st.lists(st.sampled_from(PIECES) | st.text(max_size=5), max_size=40).map("".join)
BODIES = st.binary(max_size=200) | TEXTS.map(lambda text: text.encode("utf-8", "surrogatepass"))
NAMES = st.text(string.ascii_lowercase + string.digits + "-_", max_size=12)
LABELS = st.none() | st.text(max_size=30) | NAMES.map("text/xml; charset={}".format)


def parsed(parse, body: bytes, content_type: str | None = None) -> Feed | Sitemap | None:
    try:
        return parse(body, URL, content_type)
    except InvalidFeed:
        return None


@settings(deadline=None)
@given(BODIES, LABELS)
def test_nothing_but_invalid_feed_is_raised(body, content_type):
    parsed(parse_feed, body, content_type)
    parsed(parse_sitemap, body, content_type)


@settings(deadline=None)
@given(BODIES.map(lambda body: b"<rss><channel><item>" + body + b"</item></channel></rss>"))
def test_what_is_read_is_fit_to_be_stored(body):
    feed = parsed(parse_feed, body)

    assert isinstance(feed, Feed)
    for entry in feed.entries:
        for text in (entry.title, entry.id, entry.author, entry.summary, entry.content, *entry.categories):
            assert text is None or (text.strip() and not CONTROL.search(text))
        for url in (entry.url, *(enclosure.url for enclosure in entry.enclosures)):
            assert url is None or url.lower().startswith(("http://", "https://"))


M = 1 << 18
HOSTILE = {
    "brackets": b"<" * M,
    "opened tags": b"<a " * (M // 3),
    "quotes": b"<a '\"" * (M // 5),
    "nesting": b"<a>" * (M // 3),
    "closings": b"<rss>" + b"</x>" * (M // 4),
    "comments": b"<!--" * (M // 4),
    "sections": b"<![CDATA[" * (M // 9),
    "document types": b"<!DOCTYPE [<!--" * (M // 15),
    "attributes": b"<rss " + b'a="b" ' * (M // 6) + b">",
    "namespaces": b"".join(b'<a xmlns:p%d="u">' % number for number in range(20_000)),
    "references": b"<rss><channel><title>" + b"&#38;&" * (M // 6),
    "formatting": b"<rss><item><description><![CDATA[" + b"<b id=1><p>x" * 10_000,
    "titles": b"<rss><channel>" + b"<title>" * (M // 7),
    "categories": b"<rss><item>" + b"<category>a</category>" * 30_000,
    "one address": b"https://" + b"a" * M,
    "addresses never closed": b"<urlset>" + b"<url><loc>/" * (M // 11),
    "entries only closed": b"<urlset>" + b"</url>" * (M // 6),
    "lists in JSON": b'{"items":' + b"[" * M,
    "a number in JSON": b'{"items":[{"id":' + b"9" * 100_000 + b"}]}",
    "spaces": b" " * M,
    "zeros": b"\0" * M,
    "a gzip header": b"\x1f\x8b\x08" * (M // 3),
}


@pytest.mark.timeout(20)
@pytest.mark.parametrize("body", HOSTILE.values(), ids=HOSTILE.keys())
def test_malice_in_bulk_is_over_soon(body):
    for parse in (parse_feed, parse_sitemap):
        parsed(parse, body)


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(PIECES), st.sampled_from(PIECES), st.integers(1, 3000))
def test_repetition_does_no_harm(first, second, times):
    body = ((first + second) * times).encode("utf-8", "surrogatepass")

    parsed(parse_feed, b"<rss><channel><item><title>" + body)
    parsed(parse_sitemap, b"<urlset>" + body)
