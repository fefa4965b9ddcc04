"""Read a name from a text that should hold one."""

import re

from outrider.extract.metadata.wording import one_line

MAX_AUTHOR = 300

_MAX_WORDS = 12
_MAX_SHOWN_WORDS = 6
_MAX_SHOWN = 60
_BY = re.compile(
    r"^\W*(?:(?:written|posted|post|words|story|article|guide|review|text|published|started|created|contributed)\s+)?"
    r"(?:by|von|par|por|di|door|av)\s*:?\s+",
    re.IGNORECASE,
)
_ONLY_BY = re.compile(
    r"^\W*(?:(?:written|posted|words|story|article|guide|text|published)\s+)?(?:by|von|par|por|authors?(?:\(s\))?)\W*$",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"https?://|www\.|@[\w-]+\.\w|/")
_PADDING = " \t,;:|·•–—-»"
_NO_PERSON = re.compile(
    r"\b(?:reviewed|checked|edited|photos?|photography|illustrat\w+|powered|sponsored|image|credit|translated"
    r"|updated|joined|posts|comments?|repl(?:y|ies)|share|follow|subscribe|newsletter|copyright|read|reading"
    r"|mins?|minutes?|about|author|authors|bio|profile|view|more|sign|log ?in|written"
    r"|published|posted|by|category|today|yesterday|ago|from|all rights)\b"
    r"|\d{2}|[?!:|»©@#…]",
    re.IGNORECASE,
)


_ROLE = re.compile(
    r"\b(?:editors?|contributors?|writers?|reporters?|correspondents?|journalists?|columnists?|analysts?)\b",
    re.IGNORECASE,
)
_EDITOR = re.compile(r"\b(?:editors?|contributors?)\b", re.IGNORECASE)
# What may follow a name in a byline: the next credit, or a date.
_AFTER_NAME = re.compile(
    r"\W+(?:edited|reviewed|translated|illustrat\w+|photo\w*) by\b.*|\s+(?:at|on)\s+(?=.*\d).*", re.IGNORECASE
)
_BETWEEN = re.compile(r"\s+[|·•]\s+")


def as_name(text: str) -> str | None:
    """`text` as a name, or None where it can be none."""
    name = declared_name(text)
    return name if name and len(name.split()) <= _MAX_WORDS else None


def declared_name(text: str) -> str | None:
    """A name that a page states for machines, however long it is: of several people, or with a title."""
    name = one_line(_BY.sub("", text).strip(_PADDING), MAX_AUTHOR)
    return name if name and not is_address(name) else None


def visible_name(text: str, *, with_role: bool = False) -> str | None:
    """The name in a text that people see, or None where the text says more than a name.

    `with_role` accepts "Travel Editor, Ann Lee", where the words in front of it leave no doubt.
    """
    if not with_role and _EDITOR.search(text):
        return None
    name = one_line(_AFTER_NAME.sub("", _BY.sub("", text)).strip(_PADDING), MAX_AUTHOR)
    if not name or len(name) > _MAX_SHOWN or len(name.split()) > _MAX_SHOWN_WORDS:
        return None
    return None if name[0].islower() or is_address(name) or _NO_PERSON.search(name) else name


def name_with_role(text: str) -> str | None:
    """The name in "Ann Lee | Senior Writer | July 2, 2025"."""
    parts = _BETWEEN.split(text) if len(text) <= MAX_AUTHOR else []
    if len(parts) < 2 or not _ROLE.search(parts[1]) or len(parts[0].split()) not in (2, 3, 4):
        return None
    return visible_name(parts[0])


def begins_with_by(text: str) -> bool:
    """Whether a text introduces a name: "By Ann Lee"."""
    return _BY.match(text) is not None


def is_only_by(text: str) -> bool:
    """Whether a text introduces the name that stands in the next one: "Written by"."""
    return _ONLY_BY.match(text) is not None


def is_address(text: str) -> bool:
    """Whether a text holds an address of the web or of a mailbox."""
    return _ADDRESS.search(text) is not None
