"""Extract a page with the selectors of its source, with its template, or without; and record which."""

from collections.abc import Sequence
from datetime import UTC, datetime

from outrider.extract.article.page_type import Signals, page_type
from outrider.extract.article.quality import ENOUGH_WORDS, count_words
from outrider.extract.article.url import article_url
from outrider.extract.links import normalized_link
from outrider.extract.metadata.structured import types_of
from outrider.extract.model import Page
from outrider.extract.page import MAIN_TEXT, FieldValue, page_of
from outrider.extract.parsed_page import JSON_LD, ParsedPage
from outrider.extract.recipe.model import NO_SELECTORS, Extracted, Method
from outrider.extract.recipe.picking import (
    OWN,
    Chosen,
    generic_text,
    linked_share,
    pick,
    pick_listed,
    pick_text,
)
from outrider.extract.recipe.selectors import Selectors
from outrider.extract.recipe.templates import TEMPLATES, Template, template_of_host, template_of_page
from outrider.extract.text.main_text import main_text
from outrider.extract.tree.parse import parse
from outrider.urls import host_of, path_of

UNKNOWN_ADDRESS = "http://invalid/"  # of a page whose own address cannot be read


def extract_with(
    body: bytes,
    url: str,
    selectors: Selectors = NO_SELECTORS,
    template: str | None = None,
    *,
    content_type: str | None = None,
    x_robots_tag: str | None = None,
    readability: bool | None = None,
    is_article_url: bool | None = None,
    now: datetime | None = None,
) -> Extracted:
    """Read the page at `url`. Never fails, whatever the bytes.

    `readability` None means: for pages without selectors of their source. `is_article_url` is what the
    source's patterns say; without it the address is judged by its looks.
    """
    now = now or datetime.now(UTC)
    address = normalized_link(url, url) or UNKNOWN_ADDRESS
    parsed = ParsedPage.of(body, url, content_type, selectors.article.json_ld or JSON_LD)
    kind = _template(template, address, parsed.html, selectors)
    choices = [Chosen(OWN, selectors)] if selectors else []
    if kind is not None:
        choices.append(Chosen(f"template {kind.name}", kind.selectors))
    picked = pick(parsed, choices, now)
    may_weigh = not selectors if readability is None else readability
    method, picked["text"] = _text(parsed, choices, may_weigh=may_weigh)
    page, origins = page_of(parsed, picked, now, x_robots_tag)
    words = count_words(page.text)
    looks = article_url(address) if is_article_url is None else is_article_url
    return Extracted(
        page=page,
        method=method,
        page_type=page_type(_signals(parsed, page, words, looks, is_home=path_of(address) == "/")),
        words=words,
        origins=origins,
        template=kind.name if kind else None,
        listed=pick_listed(parsed, choices),
    )


def _template(hint: str | None, address: str, html: bytes, selectors: Selectors) -> Template | None:
    """EXT-14: the configured template, else by domain, else by the HTML, if there are no selectors."""
    if hint:
        return TEMPLATES.get(hint)
    by_host = template_of_host(host_of(address))
    return by_host if by_host or selectors else template_of_page(html)


def _text(parsed: ParsedPage, choices: Sequence[Chosen], *, may_weigh: bool) -> tuple[Method, FieldValue]:
    text, where = pick_text(parse(parsed.html), choices) if choices else ("", "")
    words = count_words(text)
    if words < ENOUGH_WORDS and may_weigh:
        weighed = main_text(parsed.tree, parsed.url)
        if count_words(weighed) > words:
            return Method.READABILITY, (weighed, MAIN_TEXT)
    if text:
        return Method.SELECTOR if where.startswith(OWN) else Method.TEMPLATE, (text, where)
    return Method.HEURISTIC, generic_text(parse(parsed.html))


def _signals(parsed: ParsedPage, page: Page, words: int, looks_like_article: bool, is_home: bool) -> Signals:
    return Signals(
        words=words,
        links=len(page.links),
        looks_like_article=looks_like_article,
        is_home=is_home,
        og_type=page.metadata.og_type,
        types=frozenset(name for thing in parsed.things for name in types_of(thing)),
        is_dated=page.published_at is not None,
        is_signed=page.author is not None,
        linked=linked_share(parse(parsed.html)),
    )
