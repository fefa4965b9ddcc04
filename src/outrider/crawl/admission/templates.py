"""Traps whose single URLs look normal: recognised by what the pages of one URL template yield.

A *template* is a URL with its variable parts masked: `/calendar?month={date}`, `/item/{n}`. A calendar, a
list that can be sorted in every way, or pages with a counter in the address are endless templates
whose pages repeat the same content. News and shops are endless templates too, but every page has new
content. So the address alone never decides. A template becomes barren after `patience` pages in a row that
have neither new content nor links out of the template, and one good page makes it fruitful again.

The definition of "new" favours the site:

* Only lines that the previous page did not have are compared: the rest is page layout. So one new
  headline on a crowded page is most of what varies.
* The varying pieces are compared as a set with the recent pieces of the template: a list that is sorted
  or filtered in another way has only known pieces. Three unknown pieces, or a tenth of them, are new.
* Numbers are content: `Station 17` is not `Station 18`. When only numbers vary, every new combination
  of numbers is new.
* Under addresses with a date, the numbers of a calendar (days, months, years, hours) are ignored:
  "May 2031: no events" adds nothing to "May 2032: no events". Month names need no rule, because they
  repeat within a year.
* Links count as leading out of the template unless they stay on the same masked path or lead from one
  dated view to another, as the links of calendars do.

Memory is bounded and per process: forgotten pieces make pages look new, never stale.
"""

import re
from collections import OrderedDict
from collections.abc import Iterable, Set
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

from outrider.crawl.admission.traps import DATE, DEFAULT_TRAPS, TrapOptions, template_of

MOST_TEMPLATES = 500
MOST_PIECES = 1_024  # kept for one template
_LONGEST_TEXT = 32_768  # characters compared of one page
_WIDEST = 4  # bytes of a character in UTF-8
_MOST_LINES = 500  # compared of one page
_MOST_VARYING = 100  # varying lines or pieces compared of one page
_LONG_LINE = 200  # longer lines are split into pieces
_SPLIT_CHARACTERS = 2_000  # split of one line; the rest of the line is one more piece
_CLEARLY_NEW = 3  # unknown pieces that make a page new
_GOOD_TO_TRUST = 4  # good pages in a row that double the stride
_MOST_DOUBLINGS = 4  # to one page in sixteen
_NEW_SHARE = 0.1  # share of unknown pieces that makes a page new

_PIECE = re.compile(r"[^.!?;|\d]+(?:\d[\d.,:]*)?|\d[\d.,:]*")
_ASCII_PIECE = re.compile(
    r"[^.!?;|0-9]+(?:[0-9][0-9.,:]*)?|[0-9][0-9.,:]*"
)  # the same for ASCII, in half the time
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_CALENDAR_NUMBER = re.compile(r"(?:(?:19|20)\d\d|[0-2]?\d|3[01])(?::[0-5]\d){0,2}\Z")


def count_links_out(template: str, new_urls: Iterable[str]) -> int:
    """How many of these never-seen URLs lead out of the template."""
    place, dated = template.partition("?")[0], DATE in template
    count = 0
    for url in new_urls:
        other = template_of(url) or url
        if other.partition("?")[0] != place and not (dated and DATE in other):
            count += 1
    return count


@dataclass(frozen=True, slots=True)
class PageNovelty:
    """Whether one page of a template has new content, and how many links lead out of the template."""

    is_new: bool
    leads: int = 0


_UNREAD = PageNovelty(is_new=True)  # a page that is not compared counts as new


class TemplateState(NamedTuple):
    """The counters of a template."""

    fetched: int = 0
    barren_run: int = 0  # pages in a row without anything new
    barren: bool = False


_NO_PAGES = TemplateState()


def learn(state: TemplateState, page: PageNovelty, options: TrapOptions = DEFAULT_TRAPS) -> TemplateState:
    """The state of the template after one more page."""
    if page.is_new or page.leads > 0:
        return TemplateState(state.fetched + 1)
    run = state.barren_run + 1
    return TemplateState(state.fetched + 1, run, run >= options.patience)


class Novelty:
    """Keeps the recent content of a template, and decides whether a page adds to it."""

    __slots__ = ("_dated", "_labels", "_last", "_older", "_seen")

    def __init__(self, *, dated: bool) -> None:
        self._dated = dated
        self._seen: set[int] = set()  # hashes of pieces and of sets of pieces
        self._older: set[int] = set()  # the previous _seen, which was full
        self._last: Set[int] = frozenset()  # hashes of the lines of the previous page
        self._labels: Set[str] = frozenset()  # its varying pieces without their numbers

    def adds(self, text: str | bytes) -> bool:
        """Whether the page has new content; remembers the page in any case."""
        if isinstance(text, bytes):
            text = text[: _LONGEST_TEXT * _WIDEST].decode("utf-8", "ignore")
        lines = {hash(line): line for line in text[:_LONGEST_TEXT].split("\n", _MOST_LINES)}
        varying = self._pieces(line for key, line in lines.items() if key not in self._last)
        unseen = set(map(hash, varying)) - self._seen - self._older
        is_new = len(unseen) >= _CLEARLY_NEW or len(unseen) > len(varying) * _NEW_SHARE
        if not is_new and varying:
            is_new = self._is_new_data(varying)
        self._last = frozenset(lines)
        self._remember(unseen)
        return is_new

    def _pieces(self, lines: Iterable[str]) -> Set[str]:
        found: set[str] = set()
        for line in islice(lines, _MOST_VARYING):
            if self._dated:
                line = _NUMBER.sub(_without_calendar, line)
            if len(line) <= _LONG_LINE:
                found.add(line.strip())
            else:
                found.update(map(str.strip, _split(line)))
        found.discard("")
        return found

    def _is_new_data(self, varying: Set[str]) -> bool:
        """Whether only numbers vary from page to page, and this combination of them is new."""
        labels = {_NUMBER.sub("", piece).strip() for piece in varying}
        only_numbers, self._labels = labels == self._labels, labels
        together = hash(frozenset(varying))
        is_known = together in self._seen or together in self._older
        self._remember({together})
        return only_numbers and not is_known

    def _remember(self, pieces: set[int]) -> None:
        if len(self._seen) >= MOST_PIECES // 2:
            self._seen, self._older = set(), self._seen
        self._seen.update(pieces)


class ComparisonSchedule:
    """How often the pages of a template are compared: the longer it is good, the fewer pages are.

    Comparing a page costs as much as parsing it. For a template with only good pages every second, then every
    fourth, at last every sixteenth page is compared. After the first page without new content, every page is
    compared.
    """

    __slots__ = ("_good", "_until_next")

    def __init__(self) -> None:
        self._good = 0
        self._until_next = 0

    def is_due(self) -> bool:
        self._until_next -= 1
        return self._until_next < 0

    def learn(self, page: PageNovelty) -> None:
        self._good = self._good + 1 if page.is_new or page.leads else 0
        self._until_next = 2 ** min(self._good // _GOOD_TO_TRUST, _MOST_DOUBLINGS) - 1


@dataclass(slots=True)
class TemplateHistory:
    """The recent content, trust and counters of a template."""

    novelty: Novelty
    trust: ComparisonSchedule = field(default_factory=ComparisonSchedule)
    state: TemplateState = _NO_PAGES


class TemplateWatch:
    """The templates of a crawl that one worker has seen."""

    def __init__(self, options: TrapOptions = DEFAULT_TRAPS) -> None:
        self.options = options
        self._known: OrderedDict[str, TemplateHistory] = OrderedDict()
        self.barren: set[str] = set()

    def observe(self, url: str, text: str | bytes, new_urls: Iterable[str]) -> TemplateState | None:
        """Learn from a page that is fetched for the first time; None when its address has no variable part.

        The text is given as str or as UTF-8. A page that is fetched again often has the same content, which
        proves nothing about its template.
        """
        template = template_of(url)
        if template is None:
            return None
        known = self._history_of(template)
        page = _UNREAD
        if known.trust.is_due():
            is_new = known.novelty.adds(text)
            # The targets of its links matter only for a page without new content.
            page = PageNovelty(is_new, 0 if is_new else count_links_out(template, new_urls))
            known.trust.learn(page)
        known.state = learn(known.state, page, self.options)
        if known.state.barren:
            self.barren.add(template)
        else:
            self.barren.discard(template)
        return known.state

    def _history_of(self, template: str) -> TemplateHistory:
        """The history of a template, marked as the most recently used."""
        known = self._known.get(template)
        if known is not None:
            self._known.move_to_end(template)
            return known
        known = self._known[template] = TemplateHistory(Novelty(dated=DATE in template))
        if len(self._known) > MOST_TEMPLATES:
            self._known.popitem(last=False)
        return known

    def is_barren(self, url: str) -> bool:
        """Whether a URL belongs to a barren template."""
        return bool(self.barren) and template_of(url) in self.barren


def _split(line: str) -> Iterable[str]:
    pieces = _ASCII_PIECE if line.isascii() else _PIECE
    found = pieces.findall(line, 0, _SPLIT_CHARACTERS)
    return [*found[:_MOST_VARYING], line[_SPLIT_CHARACTERS:]]


def _without_calendar(number: re.Match[str]) -> str:
    return "" if _CALENDAR_NUMBER.match(number[0]) else number[0]
