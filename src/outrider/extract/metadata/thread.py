"""The author and the date of the first post of a thread.

Each post of a thread has an author and a date. Those of the first post are the author and the date of the
page; all others belong to replies. The first post follows the headline, so reading onward from there finds
its author and its date before those of any other.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime

from selectolax.lexbor import LexborNode

from outrider.extract.dates.read_date import read_date
from outrider.extract.metadata.headline import TEXT, ancestors, following
from outrider.extract.metadata.structured import Thing, types_of, with_main_entities
from outrider.extract.metadata.wording import one_line
from outrider.extract.parsed_page import ParsedPage
from outrider.extract.tree.short_text import short_text
from outrider.extract.tree.siblings import next_elements

MAX_URL = 2000
MAX_NODES = 800
MAX_LEVELS = 4
MAX_NAME = 40
MAX_NAME_WORDS = 4
MAX_DATE_TEXT = 80

_THREAD_TYPES = frozenset(("DiscussionForumPosting", "QAPage", "Question"))
_THREAD_ADDRESS = re.compile(
    r"/(?:threads?|discussions?/topics?|show-?topic|view-?topic|show-?thread|view-?thread)(?:[/.?_-]|$)"
    r"|/(?:t|topic|questions?|discussions?|posts?)/(?:[^/?]+/)?(?!(?:19|20)\d\d(?:/|-|$))\d{3}"
    r"|/comments/\w{5,10}/"
    r"|-t\d{4,}\.html|[?&](?:topic|tid|thread(?:id)?)=\d"
    r"|^https?://(?:forums?|boards?|bbs|discuss|discourse)\.(?:[^?]*\d{3}|[^/?]*/(?:t|topic)/[^/?])",
    re.IGNORECASE,
)
_DATE_ATTRIBUTE = re.compile(r"(?:^|-)(?:datetime|timestamp|ts|title)\Z")
_PERSON = re.compile(
    r"(?:^|[\s_-])(?:(?:big)?user-?name|author|poster|creator|nick-?name|display-?name|person)(?![a-z])"
    r"|author-?name|userName|postAuthor",
)
_PROFILE = re.compile(
    r"/(?:members?|users?|u|profiles?|people|authors?|@[\w.-]+)/[\w%.@-]"
    r"|/(?:member|profile|memberlist|user)\.php\?(?:u|id|mode=viewprofile)\b"
    r"|[?;&]action=profile",
    re.IGNORECASE,
)
_USER_TITLE = re.compile(r"\b(?:user|member|poster)[_-]?(?:title|rank)", re.IGNORECASE)
_NO_NAME = re.compile(
    r"\A(?:(?:original )?(?:poster|author)|op|guest|members?|profile|user|username|join|log ?in|register"
    r"|sign (?:in|up)|(?:thread )?starter|reply|quote|share|follow|message|posts?|topics?|answers|badges"
    r"|staff|admin|moderator|active|newest|oldest|score|votes|by|\W*\w?|\W*\d[\d\W]*)\W*\Z|\b(?:off|on)line\b",
    re.IGNORECASE,
)
# Words that name the next date, or the next person and date, as those of something else than the first post.
_OTHER_EVENT = re.compile(
    r"\b(?:last|latest|most recent) (?:post|repl|edit|update|modif|answer|active)|\bedited\b|\bmodified\b",
    re.IGNORECASE,
)
_OTHER_DATE = re.compile(
    r"\b(?:join|regist|member since|founded|last (?:seen|visit)|birth|viewed|updated)", re.IGNORECASE
)
_LABEL_REACH = 16  # nodes that such words speak of
_TEXT_REACH = 3  # nodes from an element that has a date to the text in it


def is_thread(url: str, things: Sequence[Thing]) -> bool:
    """Whether the page holds a question or a topic and the replies to it."""
    if _THREAD_ADDRESS.search(url[:MAX_URL]):
        return True
    return any(_THREAD_TYPES & types_of(thing) for thing in with_main_entities(things))


def first_author(parsed: ParsedPage) -> str | None:
    """The name that stands first after the headline."""
    other_until = 0  # up to this node, the next person is another's
    for count, node in enumerate(_following_nodes(parsed), start=1):
        if node.tag == TEXT:
            if _OTHER_EVENT.search((node.text_content or "")[:MAX_DATE_TEXT]):
                other_until = count + _LABEL_REACH
        elif node.is_element_node and (name := _name_of(node)):
            if count > other_until:
                return name
            other_until = 0
    return None


def first_date(parsed: ParsedPage, now: datetime) -> datetime | None:
    """The date that an element around the headline has, or that stands first after it."""
    day_first = parsed.is_day_first
    for ancestor in ancestors(parsed.headline, MAX_LEVELS) if parsed.headline is not None else ():
        if date := _date_of(ancestor, now, day_first):
            return date
    other_until = 0  # up to this node, the next date is that of another event
    same_until = 0  # up to this node, a text repeats that date
    for count, node in enumerate(_following_nodes(parsed), start=1):
        text = (node.text_content or "")[: MAX_DATE_TEXT + 1].strip() if node.tag == TEXT else ""
        is_other = bool(_OTHER_EVENT.search(text) or _OTHER_DATE.search(text))
        date = read_date(text, now, day_first) if len(text) <= MAX_DATE_TEXT else None
        if node.is_element_node:
            date = _date_of(node, now, day_first)
        if is_other:
            other_until = 0 if date else count + _LABEL_REACH
        elif date and count <= other_until:
            other_until, same_until = 0, (count + _TEXT_REACH if node.is_element_node else 0)
        elif date and count > same_until:
            return date
    return None


def _following_nodes(parsed: ParsedPage) -> Iterator[LexborNode]:
    """What follows the headline, or all that the page has where it has no headline."""
    if parsed.headline is not None:
        return following(parsed.headline, MAX_NODES)
    return following(parsed.tree.body, MAX_NODES, into=True) if parsed.tree.body is not None else iter(())


def _name_of(node: LexborNode) -> str | None:
    """The name in an element that is made for one, or None."""
    attributes = node.attributes
    names = attributes.get("class") or ""
    is_person = (
        attributes.get("itemprop") in ("author", "creator")
        or _PERSON.search(names)
        or (node.tag == "a" and _PROFILE.search(attributes.get("href") or ""))
        or (node.tag == "dt" and _has_user_title(node))
    )
    if not is_person or "avatar" in names:
        return None
    name = one_line(short_text(node, MAX_NAME), MAX_NAME)
    if not name or len(name.split()) > MAX_NAME_WORDS or _NO_NAME.search(name):
        return None
    first, _, second = name.partition(" ")
    return first if first == second else name  # once for wide and once for narrow screens


def _has_user_title(term: LexborNode) -> bool:
    """Whether the description of a term is the title of a user, so that the term is the user's name."""
    description = next(next_elements(term), None)
    return description is not None and bool(_USER_TITLE.search(description.attributes.get("class") or ""))


def _date_of(node: LexborNode, now: datetime, day_first: bool) -> datetime | None:
    """The date in an attribute that is made for one, or None."""
    for key, text in node.attributes.items():
        is_short = text is not None and len(text) <= MAX_DATE_TEXT
        if is_short and _DATE_ATTRIBUTE.search(key) and (date := read_date(text, now, day_first)):
            return date
    return None
