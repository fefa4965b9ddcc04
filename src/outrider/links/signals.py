"""Read the body of an answer: its title, its words, its walls, its fragments. Pure."""

import re
from collections.abc import Iterator, Mapping
from hashlib import blake2b
from urllib.parse import unquote, urlsplit

from selectolax.lexbor import LexborHTMLParser

from outrider.errors import InvalidUrl
from outrider.extract.encoding.decode import as_utf8
from outrider.extract.links import base_of
from outrider.extract.similarity.signature import signature
from outrider.extract.tree.parse import parse
from outrider.fetch.content import is_html
from outrider.links.evidence import PageSignals, Wall
from outrider.links.files.html_links import WITH_LINKS, links_of
from outrider.links.markers import says_missing, wall_in_headers, wall_in_text
from outrider.urls import resolve

MOST_TEXT = 200_000  # characters that are compared
MOST_TITLE = 300
MOST_IDS = 50_000
MOST_LINKS = 10_000
LONGEST_MISTAKE = 2_000  # characters; a longer address may only be too long for us
_SPACES = re.compile(r"\s+")
_LINKS = ", ".join(sorted(WITH_LINKS))
_WEB = ("http:", "https:")
_HIDDEN = "script, style, noscript, template"


def page_signals(
    body: bytes,
    url: str,  # the last address of the redirects
    content_type: str | None,
    headers: Mapping[str, str],
    *,
    is_error: bool = False,
    is_whole: bool = True,
    wants_ids: bool = False,
) -> PageSignals | None:
    """The signals of an answer; None for one that is no HTML page and has no telling header."""
    marker = wall_in_headers(headers)
    wall = Wall.CHALLENGE if marker is not None and is_error else None
    if not body or not (is_html(content_type) or content_type is None or _is_text(content_type)):
        return PageSignals(wall=wall, marker=marker if wall else None) if wall else None
    html, _ = as_utf8(body, content_type)
    tree = parse(html)
    title = _title(tree)
    has_scripts = tree.css_first("script") is not None
    wants_content = wants_ids and is_html(content_type)
    ids = frozenset(_ids(tree)) if wants_content else None
    links = tuple(_links(tree, url)) if wants_content else ()
    text = _text(tree, url)
    words = len(text.split())
    if wall is None:
        found = wall_in_text(html.decode("utf-8", "replace"), words, is_error=is_error)
        wall, marker = found or (None, None)
    return PageSignals(
        title=title,
        text_hash=int.from_bytes(blake2b(text.encode(), digest_size=8).digest()),
        signature=signature(text),
        words=words,
        wall=wall,
        marker=marker,
        says_missing=says_missing(title),
        has_scripts=has_scripts,
        is_whole=is_whole,
        ids=ids,
        links=links,
    )


def _is_text(content_type: str) -> bool:
    return content_type.lower().startswith("text/plain")


def _title(tree: LexborHTMLParser) -> str | None:
    node = tree.css_first("title")
    text = _SPACES.sub(" ", node.text()).strip() if node is not None else ""
    return text[:MOST_TITLE] or None


def _ids(tree: LexborHTMLParser) -> list[str]:
    found: list[str] = []
    for node in tree.css("[id], a[name]"):
        attributes = node.attributes
        found.extend(value for value in (attributes.get("id"), attributes.get("name")) if value)
        if len(found) > MOST_IDS:
            break
    return found


def _links(tree: LexborHTMLParser, url: str) -> Iterator[str]:
    """The addresses that the page links to, each once, with their fragments."""
    base = base_of((node.attributes.get("href") or "" for node in tree.css("base[href]")), url)
    seen: set[str] = set()
    for node in tree.css(_LINKS):
        values = {name: value for name, value in node.attributes.items() if value is not None}
        for href in links_of(node.tag or "", values):
            link = with_fragment(href.strip(), base) if href.strip() else None
            if link is not None and link not in seen:
                seen.add(link)
                yield link
                if len(seen) == MOST_LINKS:
                    return


def with_fragment(href: str, base: str) -> str | None:
    """The absolute address of a link with its fragment; None for one that is no http or https address.

    A web address with a mistake is given as it is: a check calls it dead.
    """
    try:
        address = resolve(href, base)
    except InvalidUrl:
        return href if href.lower().startswith(_WEB) and len(href) <= LONGEST_MISTAKE else None
    _, mark, fragment = href.partition("#")
    return f"{address}#{fragment}" if mark and fragment else address


def _text(tree: LexborHTMLParser, url: str) -> str:
    """The visible words. The address of the page is left out: pages for missing addresses repeat it."""
    for node in tree.css(_HIDDEN):
        node.decompose()
    root = tree.body or tree.root
    text = root.text(separator=" ")[:MOST_TEXT] if root is not None else ""
    path = urlsplit(url).path
    last = path.rstrip("/").rpartition("/")[2]
    for spelled in dict.fromkeys((url, path, unquote(path), last, unquote(last))):
        if len(spelled) > 1:
            text = text.replace(spelled, " ")
    return _SPACES.sub(" ", text).strip()
