"""The kinds of pages on which a date or a name is that of something else."""

from collections.abc import Sequence

from outrider.extract.metadata.structured import Thing, types_of
from outrider.extract.tree.survey import Survey

_LIST_TYPES = frozenset(("CollectionPage", "SearchResultsPage"))
_PRODUCT_TYPES = frozenset(("Product", "ProductGroup"))


def is_home(url: str) -> bool:
    """Whether the page is the home page of a site. What it shows are other pages."""
    return url.rstrip("/").count("/") < 3


def calls_itself_a_list(things: Sequence[Thing]) -> bool:
    """Whether the page says in JSON-LD that it is a collection of other pages."""
    return any(_LIST_TYPES & types_of(thing) for thing in things)


def is_for_sale(found: Survey, things: Sequence[Thing]) -> bool:
    """Whether the page offers a product. The dates and names on it are those of reviews and offers."""
    if "product" in (found.meta("og:type") or "").lower():
        return True
    types = {name for thing in things for name in types_of(thing)}
    # An article may be about products.
    return bool(_PRODUCT_TYPES & types) and not any(name.endswith(("Article", "Posting")) for name in types)
