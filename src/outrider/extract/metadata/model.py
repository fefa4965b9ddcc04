"""The metadata of a page as it is stored and exported: strings under fixed names."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from outrider.extract.metadata.structured import Thing
from outrider.extract.metadata.wording import one_line

MAX_FIELD = 2000  # characters
MAX_RAW_OBJECTS = 20
MAX_RAW_CHARS = 64_000  # of JSON, over all objects of a page


@dataclass(frozen=True, slots=True)
class Metadata:
    """What a page states beside its title, description, author, date and canonical address.

    Every value but `jsonld_raw` is a string of at most `MAX_FIELD` characters, whatever shape it had.
    Values of selectors replace what the page states under the same name.
    """

    keywords: str | None = None
    section: str | None = None
    article_opinion: str | None = None
    article_content_tier: str | None = None
    twitter_card: str | None = None
    twitter_site: str | None = None
    og_type: str | None = None
    og_title: str | None = None
    og_description: str | None = None
    og_image: str | None = None
    og_image_width: str | None = None
    og_image_height: str | None = None
    og_url: str | None = None
    og_site_name: str | None = None
    # Only selectors find these.
    intro: str | None = None
    category: str | None = None
    article_id: str | None = None
    image: str | None = None
    byline: str | None = None
    # What JSON-LD states about the article of the page.
    jsonld_headline: str | None = None
    jsonld_description: str | None = None
    jsonld_article_section: str | None = None
    jsonld_author: str | None = None
    jsonld_publisher_name: str | None = None
    jsonld_url: str | None = None
    jsonld_image_url: str | None = None
    jsonld_date_published: str | None = None
    jsonld_date_created: str | None = None
    jsonld_date_modified: str | None = None
    jsonld_word_count: str | None = None
    jsonld_keywords: str | None = None
    jsonld_schema_type: str | None = None
    jsonld_location: str | None = None
    jsonld_raw: tuple[Thing, ...] = ()  # the first objects of the page as they were written

    @classmethod
    def of(cls, stated: Mapping[str, str | None], things: Iterable[Thing] = ()) -> "Metadata":
        """Cut every value to its bound. A name that is no field is an error of the caller."""
        lines = {name: one_line(value, MAX_FIELD) for name, value in stated.items()}
        return cls(**lines, jsonld_raw=_first_that_fit(things))

    def strings(self) -> dict[str, str]:
        """The values that say something, by name, without `jsonld_raw`."""
        named = ((each.name, getattr(self, each.name)) for each in fields(self))
        return {name: value for name, value in named if isinstance(value, str)}

    def to_json(self) -> dict[str, Any] | None:
        """What is stored; None where the page states nothing."""
        stored: dict[str, Any] = dict(self.strings())
        if self.jsonld_raw:
            stored["jsonld_raw"] = list(self.jsonld_raw)
        return stored or None


def _first_that_fit(things: Iterable[Thing]) -> tuple[Thing, ...]:
    """The objects that fit into the bounds; one that is too large does not push out the next."""
    kept: list[Thing] = []
    left = MAX_RAW_CHARS
    for thing, _ in zip(things, range(MAX_RAW_OBJECTS), strict=False):
        size = len(json.dumps(thing))
        if size <= left:
            left -= size
            kept.append(thing)
    return tuple(kept)
