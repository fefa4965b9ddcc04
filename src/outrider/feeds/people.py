"""The author in one line: a name, an address, or a name followed by an address."""

import re

from outrider.feeds.addresses import web_address
from outrider.feeds.limits import MAX_LISTED, MAX_NAME
from outrider.feeds.links import base_of
from outrider.feeds.markup import Element
from outrider.feeds.sanitize import KEPT
from outrider.feeds.strings import line
from outrider.feeds.values import is_risky, text_of

_ADDRESS = re.compile(r"[\w.+%&'*/=?^{}~-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){0,8}")
_TAG = re.compile(r"</?[a-zA-Z][^<>]*+(?:>|\Z)")
_FIELD = re.compile(r"</?[a-zA-Z][^<>@]*+>")  # <ann@site.example> is none
_AROUND = ' \t\n,;:-"'
_EMPTY_BRACKETS = re.compile(r"\(\s*\)|<\s*>|\[\s*\]")


def author_of(parent: Element, base: str, *names: str) -> str | None:
    """The people in the first of these children that has any; several elements of one name are joined.

    A person with only a page is named by its address, which may be relative to `base`.
    """
    for name in names:
        people = []
        for element in parent.all(name):
            if (person := _person(element, base)) and person not in people:
                people.append(person)
            if len(people) == MAX_LISTED:
                break
        if people:
            return line(", ".join(people), MAX_NAME)
    return None


def _person(element: Element, base: str) -> str | None:
    name = _field(element, "name", "itunes:name", "title")
    address = _field(element, "email", "itunes:email")
    if name or address:
        return _together(name, address)
    if page := _field(element, "uri", "url", "homepage"):
        return web_address(page, base_of(element, base)) or page
    text = text_of(element)
    if any(child.name not in KEPT for child in element.children):
        text = _FIELD.sub("", text)  # empty or unknown elements are no part of the name
    return person_in(text)


def person_in(text: str) -> str | None:
    """The person in a text such as "me@example.com (A. Name)" or "A. Name <me@example.com>"."""
    text = name_in(text) or ""
    found = _ADDRESS.search(text)
    if found is None or "mailto:" in text:
        return text or None
    address = found[0]
    rest = text.replace(address, " ")
    name = _EMPTY_BRACKETS.sub("", rest).strip(_AROUND)
    if name.startswith("(") and name.endswith(")"):
        name = name[1:-1]
    return _together(name.strip(_AROUND), address)


def name_in(text: str | None) -> str | None:
    """The name in a text. Brackets are part of a name: <Anonymous>, <ann at site dot example>.

    A text with attributes or a script is markup, and only its words are kept.
    """
    name = line(text, MAX_NAME)
    if not name or not is_risky(name):
        return name
    # Removing one tag may form another one.
    return line(_TAG.sub("", name).replace("<", ""), MAX_NAME)


def _together(name: str | None, address: str | None) -> str | None:
    if name and address and address != name:
        return f"{name} ({address})"
    return name or address or None


def _field(element: Element, *names: str) -> str | None:
    for child in element.all(*names):
        if text := name_in(text_of(child)):
            return text
    return None
