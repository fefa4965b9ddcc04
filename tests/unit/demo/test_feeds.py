from email.utils import parsedate_to_datetime
from xml.etree import ElementTree

from outrider.demo.feeds import atom, robots, rss, sitemap
from outrider.demo.stories import stories

ORIGIN = "http://127.0.0.1:8000"
ATOM = "{http://www.w3.org/2005/Atom}"
SITEMAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
NEWEST = [(ORIGIN + story.path, story.title, story.published) for story in stories()[:12]]


def test_rss_has_the_newest_twelve_with_link_title_and_date():
    items = ElementTree.fromstring(rss(ORIGIN)).findall("channel/item")

    assert [
        (item.findtext("link"), item.findtext("title"), parsedate_to_datetime(item.findtext("pubDate")))
        for item in items
    ] == NEWEST


def test_atom_has_the_same_entries():
    entries = ElementTree.fromstring(atom(ORIGIN)).findall(f"{ATOM}entry")

    assert [
        (
            entry.find(f"{ATOM}link").get("href"),
            entry.findtext(f"{ATOM}title"),
            entry.findtext(f"{ATOM}updated"),
        )
        for entry in entries
    ] == [(url, title, published.isoformat()) for url, title, published in NEWEST]


def test_the_sitemap_lists_every_story():
    locations = [url.text for url in ElementTree.fromstring(sitemap(ORIGIN)).iter(f"{SITEMAP}loc")]

    assert locations == [ORIGIN + story.path for story in stories()]


def test_robots_txt_closes_private_and_names_the_sitemap():
    assert robots(ORIGIN).splitlines() == [
        "User-agent: *",
        "Disallow: /private/",
        "",
        f"Sitemap: {ORIGIN}/sitemap.xml",
    ]
