"""Find things on a page by the selectors of its source and of its template, in this order."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from outrider.extract.dates.read_date import read_date
from outrider.extract.dates.time_ago import time_ago
from outrider.extract.links import normalized_link, normalized_links
from outrider.extract.metadata.author import as_name
from outrider.extract.metadata.fields import MAX_DESCRIPTION, MAX_TITLE
from outrider.extract.metadata.model import MAX_FIELD
from outrider.extract.metadata.wording import one_line
from outrider.extract.page import FieldValue
from outrider.extract.parsed_page import ParsedPage
from outrider.extract.recipe.selectors import ArticleSelectors, PageSelectors, Selectors
from outrider.extract.text.blocks import outline
from outrider.extract.tree.short_text import short_text

MAX_NODES = 200  # of those that one selector finds

_LIMITS = {"title": MAX_TITLE, "description": MAX_DESCRIPTION}
_TEXTS = (
    "title",
    "description",
    "intro",
    "section",
    "category",
    "article_id",
    "byline",
    "keywords",
    "og_title",
    "og_description",
    "og_type",
    "og_site_name",
)
_ADDRESSES = {"canonical": "canonical_url", "image": "image", "og_image": "og_image", "og_url": "og_url"}
_GENERIC_NOISE = "script, style, nav, header, footer"


OWN = "selector"


class Chosen(NamedTuple):
    """Selectors and their owner."""

    owner: str  # OWN, or `template` and its name
    selectors: Selectors


def pick(parsed: ParsedPage, choices: Sequence[Chosen], now: datetime) -> dict[str, FieldValue]:
    """The values that selectors find, by field; `pick_text` finds the text."""
    picked: dict[str, FieldValue | None] = {}
    for name in _TEXTS:
        limit = _LIMITS.get(name, MAX_FIELD)
        picked[name] = _first(
            (text, where) for node, where in _nodes(parsed, choices, name) if (text := _text(node, limit))
        )
    for name, field in _ADDRESSES.items():
        picked[field] = _first(
            (link, where)
            for node, where in _nodes(parsed, choices, name)
            if (link := normalized_link(_address(node), parsed.base))
        )
    picked["author"] = _first(
        (author, where)
        for name in ("author", "byline")
        for node, where in _nodes(parsed, choices, name)
        if (author := as_name(_text(node, MAX_FIELD) or ""))
    )
    picked["published_at"] = _first(_dates(parsed, choices, now))
    return {name: value for name, value in picked.items() if value}


def pick_text(tree: LexborHTMLParser, choices: Sequence[Chosen]) -> FieldValue:
    """The text that selectors find. Removes excluded elements from the tree."""
    for owner, selectors in choices:
        article, page = selectors.article, selectors.page
        for group, name, selector in ((article, "body", article.body), (page, "content", page.content)):
            for field, nodes in _bodies(tree, group, name, selector):
                if text := "\n".join(_lines(nodes, group.exclude)):
                    return text, f"{owner} {group.NAME}.{field}"
    return "", ""


def generic_text(tree: LexborHTMLParser) -> FieldValue:
    """EXT-06: the text of <article>, <main> or <body>. Removes nav, header and footer from the tree."""
    articles = tree.css("article")
    # Several articles are a list of other pages.
    for node in (articles[0] if len(articles) == 1 else None, tree.css_first("main"), tree.body):
        if node is not None and (text := "\n".join(_lines([node], (_GENERIC_NOISE,)))):
            return text, f"<{node.tag}>"
    return "", ""


def linked_share(tree: LexborHTMLParser) -> float:
    """How much of the text is links, from 0 to 1. Removes navigation, header and footer from the tree."""
    if tree.body is None:
        return 0.0
    _take_out(tree.body, (_GENERIC_NOISE,))
    blocks = outline(tree.body).blocks
    size = sum(block.size for block in blocks)
    return sum(block.size * block.linked for block in blocks) / size if size else 0.0


def pick_listed(parsed: ParsedPage, choices: Sequence[Chosen]) -> list[str]:
    """The articles that a list names: what its cards link to, normalised, in order."""
    for chosen in choices:
        group = chosen.selectors.list
        holders = parsed.tree.css(group.container)[:MAX_NODES] if group.container else [parsed.tree.root]
        wanted = ", ".join(filter(None, (group.article_cards, group.article_list)))
        if not wanted:
            continue
        left_out = {node.mem_id for name in group.exclude_from_list for node in parsed.tree.css(name)}
        cards = [
            card
            for holder in holders
            if holder is not None
            for card in holder.css(wanted)[: MAX_NODES * 5]
            if not _is_within(card, left_out)
        ]
        hrefs = (href for card in cards for href in _links_in(card, chosen.selectors.article.link))
        if found := normalized_links(hrefs, parsed.base):
            return found
    return []


def _nodes(parsed: ParsedPage, choices: Sequence[Chosen], name: str) -> Iterator[tuple[LexborNode, str]]:
    """The elements that selectors of this name find, each with the selector that found it."""
    for owner, selectors in choices:
        for group in (selectors.article, selectors.page):
            selector = getattr(group, name, "")
            for node in parsed.tree.css(selector)[:MAX_NODES] if selector else ():
                yield node, f"{owner} {group.NAME}.{name}"


def _dates(parsed: ParsedPage, choices: Sequence[Chosen], now: datetime) -> Iterator[FieldValue]:
    for node, where in _nodes(parsed, choices, "published_time"):
        attributes = node.attributes
        text = attributes.get("datetime") or attributes.get("content") or _text(node, MAX_FIELD)
        if date := read_date(text, now, parsed.is_day_first):
            yield date, where
    for node, where in _nodes(parsed, choices, "time_ago"):
        if date := time_ago(_text(node, MAX_FIELD) or "", now):
            yield date, where


def _bodies(
    tree: LexborHTMLParser, group: ArticleSelectors | PageSelectors, name: str, selector: str
) -> Iterator[tuple[str, Sequence[LexborNode]]]:
    """What may hold the text: what the selector finds, best within the container; else the container."""
    holders = tree.css(group.container)[:MAX_NODES] if group.container else []
    if selector:
        within = [node for holder in holders for node in holder.css(selector)[:MAX_NODES]]
        yield name, _outermost((within or tree.css(selector))[:MAX_NODES])
    yield "container", _outermost(holders)


def _outermost(nodes: Sequence[LexborNode]) -> list[LexborNode]:
    ids = {node.mem_id for node in nodes}
    taken: dict[int, LexborNode] = {}
    for node in nodes:
        if not _is_within(node.parent, ids):
            taken.setdefault(node.mem_id, node)
    return list(taken.values())


def _is_within(node: LexborNode | None, holders: set[int]) -> bool:
    while node is not None and holders:
        if node.mem_id in holders:
            return True
        node = node.parent
    return False


def _lines(nodes: Sequence[LexborNode], exclude: Iterable[str]) -> Iterator[str]:
    for node in nodes:
        _take_out(node, exclude)
        for block in outline(node).blocks:
            yield block.text


def _take_out(node: LexborNode, selectors: Iterable[str]) -> None:
    for selector in selectors:
        # Last first, so that no element is taken out after one that held it.
        for unwanted in reversed(node.css(selector)):
            if unwanted.mem_id != node.mem_id:
                unwanted.decompose()


def _links_in(card: LexborNode, selector: str) -> Iterator[str]:
    anchors = card.css(selector)[:MAX_NODES] if selector else [card, *card.css("a[href]")[:1]]
    for anchor in anchors:
        if href := anchor.attributes.get("href"):
            yield href
            if not selector:
                return


def _text(node: LexborNode, limit: int) -> str | None:
    return one_line(node.attributes.get("content") or short_text(node, limit), limit)


def _address(node: LexborNode) -> str | None:
    attributes = node.attributes
    return next(filter(None, map(attributes.get, ("content", "href", "src", "data-src"))), None)


def _first(value: Iterable[FieldValue]) -> FieldValue | None:
    return next(iter(value), None)
