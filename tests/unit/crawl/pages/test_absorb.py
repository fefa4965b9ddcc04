"""From a page to what is kept and what is queued."""

import pytest
from tests.support.make import entry

from outrider.crawl.admission.templates import TemplateWatch
from outrider.crawl.admission.traps import TrapOptions
from outrider.crawl.options import CrawlOptions
from outrider.crawl.pages.absorb import MOST_PLAIN, draft_of, links_of
from outrider.crawl.pages.assessment import assess_page
from outrider.crawl.plan import CrawlPlan
from outrider.crawl.seen import REFUSED, SeenUrls
from outrider.documents.model import Draft
from outrider.documents.packing import unpack, unpack_links
from outrider.extract.article.quality import count_words
from outrider.extract.model import Scan
from outrider.extract.scan import scan as read
from outrider.extract.similarity.content_hash import content_hash
from outrider.fetch.outcome import Exchange, Fetched
from outrider.frontier.model import UrlOrigin
from outrider.hrefs import Hrefs
from outrider.sources.owners import UrlOwner
from outrider.sources.policy import Policy
from outrider.sources.scope import ScopeKind

BASE = "http://a.test/folder/page"


class nofollow(str):
    """An href of which every mention says nofollow."""


def scan(*hrefs: str, base: str = BASE, is_nofollow: bool = False, text: str = "") -> Scan:
    links = Hrefs.of({str(href): isinstance(href, nofollow) for href in hrefs})
    return Scan(
        title=None,
        description=None,
        language=None,
        base=base,
        canonical=None,
        links=links,
        encoded_text=text.encode(),
        nofollow=is_nofollow,
        words=count_words(text),
    )


def plan(source_id: int = 1, **policy) -> CrawlPlan:
    asked = Policy(**({"seeds": ["http://a.test/"]} | policy))
    return CrawlPlan.of(UrlOwner(source_id, "test", asked), depth_cap=10)


def kept_of(
    fetched: Fetched,
    page: Scan,
    options: CrawlOptions | None = None,
    source_id: int = 1,
    stored: bytes | None = None,
) -> Draft:
    visited = entry(BASE, source_id=source_id, content_hash=stored)
    return draft_of(
        visited, fetched, page, options or CrawlOptions(), assess_page(visited, plan(), page, None)
    )


class Reader:
    """Pages one after the other, as one worker reads them; what was written is confirmed at once."""

    def __init__(self) -> None:
        self.seen = SeenUrls()
        self.watch = TemplateWatch(TrapOptions())

    def read(self, page: Scan, rules: CrawlPlan | None = None, depth: int = 0):
        rules = rules or plan()
        found = links_of(
            entry(BASE, depth=depth, source_id=rules.source_id), page, rules, self.seen, self.watch
        )
        self.seen.add(link.seen for link in found.links)
        self.seen.add((key, REFUSED) for key in found.refused)
        return found

    def urls(self, *args, **kwargs) -> list[str]:
        return [link.url for link in self.read(*args, **kwargs).links]


def test_links_are_resolved_normalised_and_unique():
    found = Reader().urls(scan("x", "./x", "/folder/x#top", "HTTP://A.TEST/folder/x", "../y"))

    assert found == ["http://a.test/folder/x", "http://a.test/y"]


def test_a_link_knows_where_it_came_from():
    [link] = Reader().read(scan("x"), plan(7), depth=2).links

    assert (link.depth, link.source_id, link.origin) == (3, 7, UrlOrigin.SPIDER)
    assert link.parent == entry(BASE).key


@pytest.mark.parametrize(
    ("hrefs", "policy", "skipped"),
    [
        pytest.param(["http://b.test/"], {}, {"scope": 1}, id="another host"),
        pytest.param(["mailto:a@b.test", "http://["], {}, {"invalid": 2}, id="no address at all"),
        pytest.param(["photo.jpg"], {}, {"binary_url": 1}, id="no page by its name"),
        pytest.param(["/a/b/a/b/a/b/a/b"], {}, {"trap": 1}, id="a path that repeats itself"),
        pytest.param(["/x"], {"exclude": ["/x"]}, {"scope": 1}, id="excluded"),
        pytest.param([nofollow("x")], {}, {"nofollow": 1}, id="nofollow"),
    ],
)
def test_what_is_not_wanted_is_counted_by_its_reason(hrefs, policy, skipped):
    found = Reader().read(scan(*hrefs), plan(**policy))

    assert found.links == []
    assert found.skipped == skipped


def test_a_page_may_forbid_all_its_links():
    found = Reader().read(scan("x", "y", is_nofollow=True))

    assert (found.links, found.skipped) == ([], {"nofollow": 2})


def test_a_source_may_follow_what_pages_forbid():
    rules = plan(obey_nofollow=False)

    assert len(Reader().urls(scan(nofollow("x"), "y", is_nofollow=True), rules)) == 2


@pytest.mark.parametrize(("depth", "queued"), [(0, 1), (1, 1), (2, 0)])
def test_links_beyond_the_depth_limit_are_not_queued(depth, queued):
    found = Reader().read(scan("x"), plan(max_depth=2), depth=depth)

    assert len(found.links) == queued
    assert found.skipped == ({} if queued else {"depth": 1})


@pytest.mark.parametrize(
    "href",
    ["x", "/x", "http://a.test/x", "/archive/", "?page=2", "/2026/03/a-long-story-about-something"],
)
def test_a_link_every_page_repeats_is_queued_once(href):
    reader = Reader()

    assert len(reader.urls(scan(href))) == 1
    assert reader.urls(scan(href)) == []


def test_a_refused_link_is_refused_once():
    reader = Reader()

    assert reader.read(scan("http://b.test/")).skipped == {"scope": 1}
    assert reader.read(scan("http://b.test/")).skipped == {}


@pytest.mark.parametrize(
    ("href", "first", "second"),
    [
        pytest.param("x", "http://a.test/1/", "http://a.test/2/", id="relative, in two folders"),
        pytest.param("?page=2", "http://a.test/1", "http://a.test/2", id="a bare query, on two pages"),
        pytest.param("httpd.html", "http://a.test/1/", "http://a.test/2/", id="a name like a scheme"),
        pytest.param("//a.test/x", "http://a.test/", "https://a.test/", id="without a scheme"),
    ],
)
def test_the_same_spelling_elsewhere_is_another_link(href, first, second):
    reader = Reader()

    assert reader.urls(scan(href, base=first)) != reader.urls(scan(href, base=second)) != []


def test_what_one_source_refuses_another_may_want():
    reader = Reader()
    narrow, wide = plan(1), plan(2, scope=ScopeKind.ANY)

    assert reader.urls(scan("http://b.test/"), narrow) == []
    assert reader.urls(scan("http://b.test/"), wide) == ["http://b.test/"]


def test_a_link_found_nearer_to_the_seeds_is_worth_another_look():
    reader = Reader()
    reader.read(scan("x"), depth=2)

    [again] = reader.read(scan("x"), depth=0).links

    assert (again.depth, again.priority) == (1, 4)
    assert reader.read(scan("x"), depth=1).links == []


def test_a_page_is_kept_with_all_it_says():
    body = (
        b'<html lang="en"><title>T</title><meta name="description" content="D">'
        b'<link rel="canonical" href="/c"><body><p>Some words here.</p><a href="/x">l</a>'
        b'<a href="/y" rel="nofollow">m</a></body></html>'
    )
    fetched = Fetched(Exchange(BASE, 200, {}, 5), body, "text/html", etag='"e"', last_modified="m")
    page = read(body, BASE, "text/html", None)

    kept = kept_of(fetched, page, source_id=3)

    assert (kept.title, kept.description, kept.language, kept.canonical_url) == (
        "T",
        "D",
        "en",
        "http://a.test/c",
    )
    assert (kept.etag, kept.last_modified, kept.status, kept.size) == ('"e"', "m", 200, len(body))
    assert "Some words here." in unpack(kept.text)
    assert {("/x", False), ("/y", True)} <= set(unpack_links(kept.links))
    assert kept.links_count == 3
    assert kept.source_id == 3


def test_the_hash_of_a_document_does_not_depend_on_lines():
    """EXT-17."""
    bodies = (b"<p>one two</p><p>three", b"<div>\n one\n  <b>two</b>\tthree </div>")
    pages = [(Fetched(Exchange(BASE, 200, {}, 5), body), read(body, BASE)) for body in bodies]

    assert {kept_of(*page).content_hash.hex() for page in pages} == {content_hash("one two three")}


def _visited_again(text: str, stored: str) -> Draft:
    """A page that says `text`, visited again after it said `stored`."""
    known = bytes.fromhex(content_hash(stored))
    return kept_of(Fetched(Exchange(BASE, 200, {}, 5), b""), scan(text=text), stored=known)


def test_a_text_that_is_stored_already_is_neither_compressed_nor_signed_again():
    words = " ".join(str(number) for number in range(100))

    kept = _visited_again(words, stored=words)

    assert (kept.is_unchanged, kept.text, kept.signature) == (True, words.encode(), None)


def test_another_text_is_compressed_and_signed():
    words = " ".join(str(number) for number in range(100))

    kept = _visited_again(words, stored=f"{words} more")

    assert (kept.is_unchanged, unpack(kept.text)) == (False, words)
    assert kept.signature


def test_a_large_text_does_not_wait_for_the_flush_without_compression():
    words = "many words " * (MOST_PLAIN // 10)

    kept = _visited_again(words.strip(), stored=words)

    assert not kept.is_unchanged
    assert len(kept.text) < MOST_PLAIN // 10


@pytest.mark.parametrize(("words", "comparable"), [(0, False), (19, False), (20, True)])
def test_only_pages_with_enough_words_can_be_duplicates(words, comparable):
    fetched = Fetched(Exchange(BASE, 200, {}, 5), b"")
    page = scan(text=" ".join(["word"] * words))

    kept = kept_of(fetched, page, CrawlOptions(duplicate_words=20))

    assert (kept.words, kept.is_comparable) == (words, comparable)


def test_a_canonical_address_that_is_none_is_left_out():
    fetched = Fetched(Exchange(BASE, 200, {}, 5), b"")

    assert kept_of(fetched, scan()._replace(canonical="http://[")).canonical_url is None


@pytest.mark.parametrize(
    ("href", "priority"),
    [
        pytest.param("/2024/05/17/a-fine-day", 5, id="an article"),
        pytest.param("/about", 4, id="any other page"),
        pytest.param("/news/page/7", 3, id="a page of a list"),
    ],
)
def test_the_looks_of_a_link_decide_its_place_in_the_queue(href: str, priority: int):
    """PRI-05, PRI-06."""
    [link] = Reader().read(scan(href)).links

    assert link.priority == priority
