"""Sitemaps."""

import gzip
import tracemalloc
from datetime import UTC, datetime

import pytest

from outrider.errors import InvalidFeed
from outrider.feeds import Alternate, SitemapKind, iter_sitemap, parse_sitemap
from outrider.feeds.limits import MAX_SITEMAP_ENTRIES

URL = "https://site.example/sitemap.xml"
DAY = datetime(2021, 3, 4, tzinfo=UTC)
HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'

URLSET = f"""{HEAD}
<url><loc>https://site.example/1</loc><lastmod>2021-03-04</lastmod><priority>0.5</priority></url>
<url>
  <loc>
    https://site.example/2?a=1&amp;b=2
  </loc>
</url>
</urlset>"""


def urls(text: str | bytes) -> list[str]:
    body = text.encode() if isinstance(text, str) else text
    return [entry.url for entry in parse_sitemap(body, URL).entries]


def test_a_urlset_lists_pages():
    sitemap = parse_sitemap(URLSET.encode(), URL)

    assert sitemap.kind == SitemapKind.URLSET == "urlset"
    assert urls(URLSET) == ["https://site.example/1", "https://site.example/2?a=1&b=2"]
    assert [entry.lastmod for entry in sitemap.entries] == [DAY, None]
    assert not any(entry.is_sitemap for entry in sitemap.entries)


@pytest.mark.parametrize(
    "loc", ["/1?a=1&amp;b=2", " \n/2\t", "", "no address: a > b", "http://[", "/é&#47;3"]
)
@pytest.mark.parametrize("lastmod", ["", "<lastmod>2021-03-04</lastmod>", "<lastmod> soon &lt;</lastmod>\n"])
@pytest.mark.parametrize("rest", ["", "<changefreq>daily</changefreq>\n<priority>0.5</priority>"])
def test_a_plain_entry_says_what_the_same_one_says_at_length(loc, lastmod, rest):
    plain = f"{HEAD}\n<url>\n<loc>{loc}</loc>{lastmod}{rest}</url><url><loc>/last</loc></url></urlset>"

    at_length = plain.replace("<url>", "<url id='1'>")
    assert parse_sitemap(plain.encode(), URL) == parse_sitemap(at_length.encode(), URL)


def test_a_prefix_that_is_declared_for_something_else_is_not_overheard():
    body = '<s:urlset xmlns:s="x" xmlns="http://www.google.com/schemas/sitemap-image/1.1"><url><loc>/1</loc></url></s:urlset>'

    assert urls(body) == urls(body.replace("<url>", "<url id='1'>"))


def test_an_index_lists_sitemaps():
    sitemap = parse_sitemap(
        b"<sitemapindex><sitemap><loc>/a.xml.gz</loc><lastmod><![CDATA[2021-03-04]]></lastmod></sitemap>"
        b"<sitemap>https://site.example/b.xml?x=1&amp;y=2</sitemap></sitemapindex>",
        URL,
    )

    assert sitemap.kind == SitemapKind.INDEX == "index"
    assert [(entry.url, entry.lastmod, entry.is_sitemap) for entry in sitemap.entries] == [
        ("https://site.example/a.xml.gz", DAY, True),
        ("https://site.example/b.xml?x=1&y=2", None, True),
    ]


def test_extensions_add_languages_and_the_date_of_news():
    body = """<urlset xmlns:n="http://www.google.com/schemas/sitemap-news/0.9" xmlns:x="http://www.w3.org/1999/xhtml"
      xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"><url>
      <image:image><image:loc>https://site.example/i.png</image:loc></image:image>
      <loc>https://site.example/en</loc><x:link rel="alternate" hreflang="de" href="/de"/>
      <n:news><n:publication><n:name>The Site</n:name></n:publication>
      <n:publication_date>2021-03-04</n:publication_date></n:news></url></urlset>"""
    (entry,) = parse_sitemap(body.encode(), URL).entries

    assert entry.url == "https://site.example/en"
    assert entry.published_at == DAY
    assert entry.alternates == (Alternate("https://site.example/de", "de"),)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("https://a.example/1\r\nhttps://a.example/2\nnonsense\n", 2, id="text"),
        pytest.param("https://a.example/1\rhttps://a.example/2\r", 2, id="text with the line ends of old"),
        pytest.param("\ufeffhttps://a.example/1\n\nhttps://a.example/2", 2, id="text after a mark"),
        pytest.param(
            "<rss><item><link>/1</link></item><item><link>/2</link></item></rss>",
            2,
            id="RSS",
        ),
        pytest.param(
            '<rss><item><guid isPermaLink="false">https://a.example/1</guid></item><item><guid>2</guid></item></rss>',
            1,
            id="RSS with identifiers only",
        ),
        pytest.param('<feed><entry><link href="/1"/></entry><entry/></feed>', 1, id="Atom"),
        pytest.param(f"{HEAD}</urlset>", 0, id="empty"),
        pytest.param(f"<!-- x -->\n<!DOCTYPE urlset>{URLSET[39:]}", 2, id="comment and document type"),
        pytest.param(
            f"{HEAD}<!-- <url><loc>/no</loc></url> --><url><loc>/1</loc><!-- x --></url></urlset>",
            1,
            id="an entry put out of use",
        ),
        pytest.param(URLSET.replace("sitemaps.org", "example.com"), 2, id="wrong namespace"),
        pytest.param(
            '<s:urlset xmlns:s="urn:x"><s:url><s:loc>/1</s:loc></s:url></s:urlset>',
            1,
            id="prefixed",
        ),
        pytest.param("<URLSET><URL><LOC>/1</LOC></URL></URLSET>", 1, id="capitals"),
        pytest.param("<url><loc>/1</loc></url><url><loc>/2</loc></url>", 2, id="no root"),
        pytest.param(URLSET[:-10], 2, id="the end is missing"),
        pytest.param(f"Warning: out of memory<br />\n{URLSET}", 2, id="after an error message"),
        pytest.param(
            f"{HEAD}<url><loc>/1</loc></url><url><loc>https://site.example/cut", 1, id="an address is cut"
        ),
        pytest.param(f"{HEAD}<url><loc>/1</loc></url><url><loc>/2</loc><last", 1, id="an entry is cut"),
        pytest.param(f"{HEAD}<url><loc>/1</lo", 1, id="the only entry is cut"),
        pytest.param(f"{HEAD}<url><loc>/1</loc></url>\n", 1, id="cut between entries"),
        pytest.param(
            f"{HEAD}<url><loc>\u00a0https://site.example/1\u2003</loc></url></urlset>", 1, id="odd spaces"
        ),
        pytest.param(f"{HEAD}<url><loc>/1</loc><url><loc>/2</loc></urlset>", 2, id="entries not closed"),
        pytest.param(
            f"{HEAD}<url></url></url></x><url><loc>/1</loc></url></urlset>", 1, id="closed too often"
        ),
        pytest.param(f"{HEAD}<url><loc><url><![CDATA[/1]]></url></loc></url></urlset>", 1, id="url in loc"),
        pytest.param(
            f"{HEAD}<url><loc>/a b</loc></url><url><loc></loc></url></urlset>", 1, id="spaces and nothing"
        ),
        pytest.param(
            f"{HEAD}<url><loc>file:///x</loc></url><url><loc>javascript:1</loc></url></urlset>",
            0,
            id="not web",
        ),
    ],
)
def test_entries_are_salvaged_from(text, expected):
    assert len(urls(text)) == expected


def test_addresses_run_together_in_one_entry_keep_their_dates():
    text = (
        "<sitemapindex><sitemap><loc>/a.xml</loc><lastmod>2024-05-01</lastmod>"
        "<loc>/b.xml</loc><loc>/c.xml</loc><lastmod>2024-05-03</lastmod></sitemap></sitemapindex>"
    )

    entries = parse_sitemap(text.encode(), URL).entries

    assert [(entry.url[-6:], entry.lastmod and entry.lastmod.day, entry.is_sitemap) for entry in entries] == [
        ("/a.xml", 1, True),
        ("/b.xml", None, True),
        ("/c.xml", 3, True),
    ]


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16", "utf-32", "utf-16-le"])
def test_any_unicode_encoding_will_do(codec):
    assert len(urls(URLSET.replace("UTF-8", codec).encode(codec))) == 2


def test_gzip_is_opened_whatever_the_header_says():
    sitemap = parse_sitemap(gzip.compress(URLSET.encode()), URL, "text/plain")

    assert len(sitemap.entries) == 2


@pytest.mark.parametrize(
    "body",
    [b"", b"this is no sitemap", b"<!DOCTYPE html><html><body>404</body></html>", b"<a/>", bytes(range(256))],
)
def test_what_is_no_sitemap_is_refused_at_once(body):
    with pytest.raises(InvalidFeed):
        parse_sitemap(body, URL)
    with pytest.raises(InvalidFeed):
        iter_sitemap([body], URL)


def test_a_sitemap_that_declares_entities_is_refused():
    doctype = '<!DOCTYPE urlset [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>'

    with pytest.raises(InvalidFeed, match="declares entities"):
        parse_sitemap(f"{doctype}{URLSET[39:]}".encode(), URL)


@pytest.mark.parametrize("size", [1, 7, 64, 1000])
def test_pieces_of_any_size_give_the_same_entries(size):
    text = URLSET.replace(
        "</urlset>", "<url><loc><url>/3</url></loc></url><url><loc>/4</loc><url><loc>/5</loc></urlset>"
    )
    body = text.encode()
    pieces = (body[at : at + size] for at in range(0, len(body), size))

    assert list(iter_sitemap(pieces, URL)) == list(parse_sitemap(body, URL).entries)


def test_a_large_file_is_read_in_little_memory():
    entry = f"<url><loc>/{'x' * 400}</loc></url>\n".encode()
    pieces = [HEAD.encode(), *([entry * 100] * 50)]

    tracemalloc.start()
    count = sum(1 for _ in iter_sitemap(pieces, URL))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert count == 5_000
    assert peak < 1_000_000 < len(pieces[1]) * 50


def test_the_number_of_entries_ends():
    body = b"https://site.example/x\n" * (MAX_SITEMAP_ENTRIES + 10)

    assert len(parse_sitemap(body, URL).entries) == MAX_SITEMAP_ENTRIES
