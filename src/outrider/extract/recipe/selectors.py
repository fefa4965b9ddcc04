"""The CSS selectors of a source, in three groups, checked before they are stored.

Users write selectors, but the pages are untrusted. The time of `:has()` and `:nth-…()` grows with the square
of the page, so both are refused, and every selector has a maximum length.
"""

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Self

from selectolax.lexbor import LexborHTMLParser, SelectolaxError

from outrider.errors import InvalidInput

LONGEST_SELECTOR = 500
MOST_EXCLUDED = 100
MAX_PROBLEMS = 20

_SLOW = re.compile(r":(has|nth-[a-z-]+)\b", re.IGNORECASE)
_DOCUMENT = LexborHTMLParser("")


@dataclass(frozen=True, slots=True)
class _SelectorGroup:
    """Fields are selectors, or lists of them; an empty one leaves it to the defaults."""

    NAME: ClassVar[str]

    @classmethod
    def read(cls, given: Any, problems: list[str]) -> Self:
        if not isinstance(given, Mapping):
            problems.append(f"{cls.NAME} is no object: write {{field: selector}}")
            return cls()
        known = {each.name: each for each in fields(cls)}
        read: dict[str, Any] = {}
        for name, value in given.items():
            about = known.get(name)
            if about is None:
                problems.append(f"{cls.NAME} has no field {str(name)[:40]!r}{_near(str(name), known)}")
            elif about.default == "":
                read[name] = _selector(value, f"{cls.NAME}.{name}", problems)
            else:
                read[name] = _selectors(value, f"{cls.NAME}.{name}", problems)
        return cls(**read)

    def values(self) -> dict[str, Any]:
        """The fields that say something."""
        named = ((each.name, getattr(self, each.name)) for each in fields(self))
        return {name: list(value) if isinstance(value, tuple) else value for name, value in named if value}


@dataclass(frozen=True, slots=True)
class ArticleSelectors(_SelectorGroup):
    """On the page of an article."""

    NAME: ClassVar[str] = "article"

    container: str = ""
    title: str = ""
    body: str = ""
    intro: str = ""
    link: str = ""  # to the article, within its card in a list
    image: str = ""
    byline: str = ""
    published_time: str = ""
    time_ago: str = ""
    section: str = ""
    category: str = ""
    article_id: str = ""
    json_ld: str = ""
    keywords: str = ""
    description: str = ""
    og_title: str = ""
    og_description: str = ""
    og_image: str = ""
    og_url: str = ""
    og_type: str = ""
    og_site_name: str = ""
    canonical: str = ""
    author: str = ""
    exclude: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ListSelectors(_SelectorGroup):
    """On a page that lists articles."""

    NAME: ClassVar[str] = "list"

    container: str = ""
    article_cards: str = ""
    article_list: str = ""
    exclude_from_list: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PageSelectors(_SelectorGroup):
    """On any other page; asked where the article's selectors find nothing."""

    NAME: ClassVar[str] = "page"

    container: str = ""
    title: str = ""
    content: str = ""
    description: str = ""
    keywords: str = ""
    og_title: str = ""
    og_description: str = ""
    og_image: str = ""
    og_url: str = ""
    og_type: str = ""
    og_site_name: str = ""
    canonical: str = ""
    exclude: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Selectors:
    """All selectors of a source or a template."""

    article: ArticleSelectors = field(default_factory=ArticleSelectors)
    list: ListSelectors = field(default_factory=ListSelectors)
    page: PageSelectors = field(default_factory=PageSelectors)

    def __bool__(self) -> bool:
        return any(group.values() for group in (self.article, self.list, self.page))

    @classmethod
    def from_json(cls, given: Mapping[str, Any] | None) -> Self:
        """Read and check; InvalidInput names everything that is wrong, not only the first."""
        problems: list[str] = []
        groups: dict[str, Any] = {}
        known = {each.NAME: each for each in (ArticleSelectors, ListSelectors, PageSelectors)}
        for name, group in (given or {}).items():
            kind = known.get(name)
            if kind is None:
                problems.append(f"there is no group {str(name)[:40]!r}: write article, list or page")
            else:
                groups[name] = kind.read(group, problems)
        if problems:
            more = len(problems) - MAX_PROBLEMS
            raise InvalidInput(
                "the selectors cannot be used: "
                + "; ".join(problems[:MAX_PROBLEMS])
                + (f"; and {more} more" if more > 0 else "")
            )
        return cls(**groups)

    def to_json(self) -> dict[str, Any]:
        values = ((group.NAME, group.values()) for group in (self.article, self.list, self.page))
        return {name: group for name, group in values if group}


def _selector(value: Any, where: str, problems: list[str]) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        problems.append(f"{where} is no text: write one selector")
        return ""
    tidy = value.strip()
    if problem := _problem(tidy):
        problems.append(f"{where}: {problem}")
        return ""
    return tidy


def _selectors(value: Any, where: str, problems: list[str]) -> tuple[str, ...]:
    given: Sequence[Any] = [value] if isinstance(value, str) else value if isinstance(value, list) else []
    if value is not None and not given and value != []:
        problems.append(f"{where} is no list: write [selector, …]")
    if len(given) > MOST_EXCLUDED:
        problems.append(f"{where} has {len(given)} selectors: write at most {MOST_EXCLUDED}")
        return ()
    return tuple(filter(None, (_selector(each, where, problems) for each in given)))


def _problem(selector: str) -> str | None:
    if len(selector) > LONGEST_SELECTOR:
        return f"it has {len(selector)} characters: write at most {LONGEST_SELECTOR}"
    if slow := _SLOW.search(selector):
        return f":{slow[1]}() is too slow on a large page: name a class or an id instead"
    try:
        if selector:
            _DOCUMENT.css_first(selector)
    except (SelectolaxError, ValueError):
        return f"{selector[:80]!r} is no CSS selector: write one such as h1.title"
    return None


def _near(name: str, known: Mapping[str, Any]) -> str:
    found = list(_nearest(name, known))
    return f": did you mean {' or '.join(found)}?" if found else f": write {', '.join(known)}"


def _nearest(name: str, known: Mapping[str, Any]) -> Iterator[str]:
    yield from difflib.get_close_matches(name[:40], known, n=2)
