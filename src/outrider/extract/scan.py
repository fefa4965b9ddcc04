"""The fast path: what every crawled page yields, in one compiled pass or in one parse and one walk."""

from itertools import islice

from selectolax.lexbor import LexborNode

from outrider.extract.encoding.decode import as_utf8
from outrider.extract.links import base_of
from outrider.extract.metadata.article import is_article
from outrider.extract.metadata.directives import Directives, from_header, from_meta, product_token
from outrider.extract.metadata.fields import description, title
from outrider.extract.metadata.language import first_language, language_tag
from outrider.extract.metadata.structured import Thing, json_ld
from outrider.extract.metadata.wording import one_line
from outrider.extract.model import Scan
from outrider.extract.native.choice import loaded
from outrider.extract.native.reading import read_page
from outrider.extract.parsed_page import ParsedPage, StatedPage, UnparsedPage
from outrider.extract.tree import tags
from outrider.extract.tree.page_text import page_text
from outrider.extract.tree.parse import parse
from outrider.extract.tree.survey import THIS_PAGE, PageSurvey, survey
from outrider.hrefs import Hrefs

MAX_LINKS = 1000
MAX_TEXT = 2_000_000
MAX_TYPE = 40

_LANGUAGES = ("content-language", "og:locale")  # where a page may say its language besides <html lang>


def scan(
    body: bytes,
    url: str,
    content_type: str | None = None,
    x_robots_tag: str | None = None,
    agent: str = "outrider",
) -> Scan:
    """The metadata and the links of the page at `url`. Never fails, whatever the bytes."""
    html, charset = as_utf8(body, content_type)
    library = loaded()
    reading = read_page(library, html, MAX_LINKS) if library is not None else None
    if reading is None:
        return _scan_tree(html, charset, url, x_robots_tag, agent)
    found, things = reading.found, json_ld(reading.scripts, is_article) if reading.scripts else ()
    page = UnparsedPage(url, html, charset, found, things, base_of(found.bases, url))
    links = _with_relations(reading.links, found)
    return _scan_of(page, title(page)[0], links, reading.encoded_text, reading.words, x_robots_tag, agent)


def reference_scan(
    body: bytes,
    url: str,
    content_type: str | None = None,
    x_robots_tag: str | None = None,
    agent: str = "outrider",
) -> Scan:
    """The same by the tree of the page alone: what the compiled scan has to agree with."""
    html, charset = as_utf8(body, content_type)
    return _scan_tree(html, charset, url, x_robots_tag, agent)


def _scan_tree(html: bytes, charset: str, url: str, x_robots_tag: str | None, agent: str) -> Scan:
    # It imports numpy, and the compiled scan reads nearly all pages without a tree.
    from outrider.extract.folding import END_OF_LINE, folded

    tree = parse(html)
    found = survey(tree, MAX_LINKS)
    page = ParsedPage(url, html, charset, found, _articles(found), base_of(found.bases, url), tree)
    headline = title(page)[0]  # before the hidden elements leave the tree
    text, words = folded(page_text(tree, found, END_OF_LINE), MAX_TEXT)
    encoded = text.encode("utf-8", "surrogatepass")
    return _scan_of(page, headline, Hrefs.of(_outgoing_links(found)), encoded, words, x_robots_tag, agent)


def _scan_of(
    page: StatedPage,
    headline: str | None,
    links: Hrefs,
    encoded_text: bytes,
    words: int,
    x_robots_tag: str | None,
    agent: str,
) -> Scan:
    found = page.found
    robots = directives(found, x_robots_tag, agent)
    return Scan(
        title=headline,
        description=description(page)[0],
        language=language_tag(found.language) or first_language(map(found.meta, _LANGUAGES)),
        base=page.base,
        canonical=found.canonical,
        links=links,
        encoded_text=encoded_text,
        words=words,
        noindex=robots.noindex,
        nofollow=robots.nofollow,
        charset=page.charset,
        og_type=one_line(found.meta("og:type"), MAX_TYPE),
    )


def _articles(found: PageSurvey) -> list[Thing]:
    """The articles that JSON-LD describes. Most pages have none, and only their scripts are looked at."""
    scripts = [node for node in found.hidden if node.tag_id == tags.SCRIPT and _is_json_ld(node)]
    return json_ld((node.text() for node in scripts), is_article) if scripts else []


def _is_json_ld(script: LexborNode) -> bool:
    return "ld+json" in (script.attributes.get("type") or "").lower()


def _outgoing_links(found: PageSurvey) -> dict[str, bool]:
    """What the head of the page refers to, then its links; what it declares as a feed is no page to go to."""
    links = found.links
    links.pop(THIS_PAGE, None)
    if not found.relations:
        return links
    for feed in found.feeds:
        links.pop(feed, None)
        found.relations.pop(feed, None)
    merged = dict.fromkeys(found.relations, False) | links
    merged |= dict.fromkeys(found.relations, False)  # a relation is a mention without nofollow
    return dict(islice(merged.items(), MAX_LINKS))


def _with_relations(links: Hrefs, found: PageSurvey) -> Hrefs:
    """The same for the links of the compiled scan, without a text for each."""
    if not found.relations:
        return links
    if links.size + len(found.relations) > MAX_LINKS:
        found.links = links.with_nofollow()
        return Hrefs.of(_outgoing_links(found))
    relations = [href for href in found.relations if href not in found.feeds]
    return links.behind(relations, left_out=found.feeds)


def directives(found: PageSurvey, x_robots_tag: str | None, agent: str) -> Directives:
    """The strictest robots directives of page and header."""
    robots = from_header(x_robots_tag, agent)
    for name in ("robots", product_token(agent)):
        for content in found.metas.get(name, ()):
            robots |= from_meta(content)
    return robots
