"""Kinds of pages whose dates and names belong to other things."""

import re
from collections.abc import Sequence

from selectolax.lexbor import LexborNode

from outrider.extract.metadata.headline import ancestors
from outrider.extract.metadata.structured import Thing, types_of
from outrider.extract.parsed_page import ParsedPage

MAX_URL = 2000
MAX_LEVELS = 12

_LIST_ADDRESS = re.compile(r"^[^?]*/(?:category|categories|genres?|tags?)/[^/?]+/?(?:\?|$)", re.IGNORECASE)
_LIST_TYPES = frozenset(("CollectionPage", "SearchResultsPage"))
_REPLY_TYPES = frozenset(("Review", "UserReview", "Comment", "Answer", "Rating", "AggregateRating"))
_PRODUCT_TYPES = frozenset(("Product", "ProductGroup"))


def is_home(url: str) -> bool:
    """Whether the page is the home page of a site. What it shows are other pages."""
    return url.rstrip("/").count("/") < 3


def is_list(url: str, things: Sequence[Thing]) -> bool:
    """Whether the page says in JSON-LD or in its address that it is a collection of other pages."""
    return _LIST_ADDRESS.search(url[:MAX_URL]) is not None or any(
        _LIST_TYPES & types_of(thing) for thing in things
    )


def is_reply(ancestor: LexborNode) -> bool:
    """Whether microdata calls an element a review, an answer or a comment, which has a date and an author."""
    return _microdata_type(ancestor) in _REPLY_TYPES


def is_for_sale(parsed: ParsedPage) -> bool:
    """Whether the page offers a product. The dates and names on it are those of reviews and offers."""
    if "product" in (parsed.found.meta("og:type") or "").lower():
        return True
    heading = parsed.headline
    if heading and any(_microdata_type(each) in _PRODUCT_TYPES for each in ancestors(heading, MAX_LEVELS)):
        return True
    types = {name for thing in parsed.things for name in types_of(thing)}
    # An article may be about products.
    return bool(_PRODUCT_TYPES & types) and not any(name.endswith(("Article", "Posting")) for name in types)


def _microdata_type(node: LexborNode) -> str:
    return (node.attributes.get("itemtype") or "").rstrip("/").rsplit("/", 1)[-1]
