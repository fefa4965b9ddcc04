"""Real pages become a web: they keep what they cost, and lead to one another."""

import re
from collections import deque

from benchmarks.real_site import copied, linked
from selectolax.lexbor import LexborHTMLParser

from outrider.extract.scan import scan

PAGE = """<!doctype html><html><head><base href="https://news.example/"><title>Old news</title>
<link rel="canonical" href="https://news.example/1"><meta name="robots" content="noindex">
<style>p { color: red }</style></head><body class="wide"><p>Some words &amp; more</p>
<script>var words = "kept";</script><a class=x href='https://news.example/2'>there</a> <A HREF=/3>here</A>
</body></html>"""
ORIGINS = ["http://127.0.0.2:80", "http://127.0.0.3:80"]


def links_of(html: str) -> list[str]:
    return [str(link.attributes["href"]) for link in LexborHTMLParser(html).css("a[href]")]


def test_a_copy_has_other_words_of_the_same_lengths_and_the_same_tags():
    copy = copied(PAGE, 1)

    before, after = (LexborHTMLParser(each).css_first("p").text() for each in (PAGE, copy))
    assert list(map(len, before.split())) == list(map(len, after.split()))
    assert not set(before.split()) & set(after.split()) - {"&"}
    assert re.findall(r"<[^>]*>", copy) == re.findall(r"<[^>]*>", PAGE)
    assert 'var words = "kept";' in copy


def test_two_copies_differ_and_the_same_copy_never_does():
    assert copied(PAGE, 1) != copied(PAGE, 2)
    assert copied(PAGE, 1) == copied(PAGE, 1)
    assert copied(PAGE, 0) == PAGE


def test_nothing_tells_a_crawler_to_leave_or_that_the_page_is_elsewhere():
    html = linked(PAGE, 3, 100, ORIGINS, "Page 3 of host 0")

    tree = LexborHTMLParser(html)
    assert tree.css("base, link[rel=canonical], meta[name=robots]") == []
    assert [title.text() for title in tree.css("title")] == ["Page 3 of host 0"]
    assert scan(html.encode(), f"{ORIGINS[0]}/p/3").title == "Page 3 of host 0"


def test_every_link_leads_into_the_web():
    links = links_of(linked(PAGE, 3, 100, ORIGINS, "t"))

    assert len(links) == 4
    assert all(link.startswith(("/p/", *ORIGINS)) or link == "/" for link in links)


def test_every_page_of_a_host_is_reached_from_its_home_page():
    pages, seen, waiting = 50, {0}, deque([0])
    while waiting:
        for link in links_of(linked("<p>words</p>", waiting.popleft(), pages, ORIGINS, "t")):
            page = int(link.removeprefix("/p/")) if link != "/" else 0
            if page not in seen:
                seen.add(page)
                waiting.append(page)

    assert seen == set(range(pages))
