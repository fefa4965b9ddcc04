"""What JSON-LD states about the article that a page shows."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from outrider.extract.links import normalized_link
from outrider.extract.metadata.structured import Thing, as_text, types_of, with_main_entities

ARTICLE_TYPES = frozenset(
    ("NewsArticle", "Article", "BlogPosting", "PressRelease", "Event", "SpecialAnnouncement", "Report")
)
MAX_ADDRESSES = 20  # articles whose address is compared with the page's

# Field: the properties that may state it, the best first.
_TEXTS = {
    "jsonld_headline": ("headline", "name"),
    "jsonld_description": ("description",),
    "jsonld_article_section": ("articleSection",),
    "jsonld_author": ("author", "creator"),
    "jsonld_publisher_name": ("publisher",),
    "jsonld_date_published": ("datePublished",),
    "jsonld_date_created": ("dateCreated",),
    "jsonld_date_modified": ("dateModified",),
    "jsonld_word_count": ("wordCount",),
    "jsonld_keywords": ("keywords",),
}
_PLACES = ("location", "contentLocation", "locationCreated")
_ADDRESSES = {
    "jsonld_url": ("url", "mainEntityOfPage", "@id"),
    "jsonld_image_url": ("image", "thumbnailUrl", "thumbnail"),
}
_ADDRESS_KEYS = ("url", "contentUrl", "@id")
_ADDRESS_PARTS = ("streetAddress", "addressLocality", "addressRegion", "addressCountry")


def is_article(thing: Thing) -> bool:
    """Whether an object is of a type that EXT-09 flattens, or is about one."""
    return any(not ARTICLE_TYPES.isdisjoint(types_of(each)) for each in with_main_entities((thing,)))


def article_of(things: Sequence[Thing], addresses: Callable[[], Collection[str | None]]) -> Thing | None:
    """The article that the page at `addresses` shows; None where its objects are about other pages.

    A page may state its article twice, and a list states many that are not its own. The addresses are asked
    for only then, because it takes a while to normalise them.
    """
    if not things:
        return None
    articles = [
        thing for thing in with_main_entities(things) if not ARTICLE_TYPES.isdisjoint(types_of(thing))
    ]
    if len(articles) <= 1:
        return next(iter(articles), None)
    own = set(addresses()) - {None}
    for article in articles[:MAX_ADDRESSES]:
        if own and own.intersection(normalized_link(each, each) for each in _addresses(article)):
            return article
    return articles[0] if len({headline_of(article) for article in articles}) == 1 else None


def headline_of(article: Thing) -> str:
    return _text(article, _TEXTS["jsonld_headline"])


def flattened(article: Thing | None, things: Sequence[Thing] = ()) -> dict[str, str]:
    """The `jsonld_` fields of an article; `things` are all objects of the page, which it may refer to."""
    if article is None:
        return {}
    known = {each: thing for thing in things if isinstance(each := thing.get("@id"), str) and len(thing) > 1}
    whole = {key: _resolved(value, known) for key, value in article.items()}
    values = {field: _text(whole, keys) for field, keys in _TEXTS.items()}
    values |= {field: _address(whole, keys) for field, keys in _ADDRESSES.items()}
    values["jsonld_location"] = next(filter(None, (as_text(_place(whole.get(key))) for key in _PLACES)), "")
    values["jsonld_schema_type"] = ", ".join(sorted(types_of(article)))
    return values


def _resolved(value: Any, known: Mapping[str, Thing]) -> Any:
    """Another object of the page in place of a reference to it."""
    if isinstance(value, list):
        return [_resolved(each, known) for each in value if not isinstance(each, list)]
    if isinstance(value, dict) and isinstance(name := value.get("@id"), str) and len(value) <= 2:
        return known.get(name, value)
    return value


def _text(thing: Thing, keys: Sequence[str]) -> str:
    return next(filter(None, (as_text(thing.get(key)) for key in keys)), "")


def _place(value: Any) -> Any:
    """What a place is called: its name, else its address."""
    if not isinstance(value, dict) or value.get("name"):
        return value
    address = value.get("address", value)
    return [address.get(key) for key in _ADDRESS_PARTS] if isinstance(address, dict) else address


def _address(thing: Thing, keys: Sequence[str]) -> str:
    return next(filter(None, (_first_address(thing.get(key)) for key in keys)), "")


def _addresses(article: Thing) -> Iterator[str]:
    for key in ("url", "mainEntityOfPage", "@id"):
        if found := _first_address(article.get(key)):
            yield found


def _first_address(value: Any) -> str:
    """The first address in what may be a string, an object or a list of both."""
    for each in value if isinstance(value, list) else (value,):
        if isinstance(each, dict):
            each = next(filter(None, (each.get(key) for key in _ADDRESS_KEYS)), None)
            each = each[0] if isinstance(each, list) and each else each
        if isinstance(each, str) and each.strip():
            return as_text(each)
    return ""
