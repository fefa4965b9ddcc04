"""Kinds of pages whose dates and names belong to other things."""

import re
from collections.abc import Sequence

from selectolax.lexbor import LexborNode

from outrider.extract.metadata.structured import Thing, types_of
from outrider.extract.tree.survey import PageSurvey

MAX_URL = 2000

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


def is_reply(holder: LexborNode) -> bool:
    """Whether microdata calls an element a review, an answer or a comment, which has a date and an author."""
    item = holder.attributes.get("itemtype") or ""
    return item.rstrip("/").rsplit("/", 1)[-1] in _REPLY_TYPES


def is_for_sale(found: PageSurvey, things: Sequence[Thing]) -> bool:
    """Whether the page offers a product. The dates and names on it are those of reviews and offers."""
    if "product" in (found.meta("og:type") or "").lower():
        return True
    types = {name for thing in things for name in types_of(thing)}
    # An article may be about products.
    return bool(_PRODUCT_TYPES & types) and not any(name.endswith(("Article", "Posting")) for name in types)
