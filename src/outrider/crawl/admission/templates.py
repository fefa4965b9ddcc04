"""Traps that look innocent one by one: recognised by what a family of URLs yields.

A *template* is a URL with its variable parts masked: `/calendar?month={date}`, `/item/{n}`. A calendar, a
list that can be sorted in every way, or pages with a counter in the address are endless templates
whose pages say the same again. News and shops are endless templates too, but every page says
something. So the address never decides. A template loses its turn after `patience` pages in a row that
neither said anything new nor led anywhere new, and one good page gives it back.

What "new" means is chosen so that a site with anything to say keeps its turn:

* Only lines that the page before did not have are looked at: the rest is furniture. So one new
  headline on a crowded page is most of what varies.
* They are compared as a set with what the template has shown lately: a list sorted or filtered in
  another way is made of known pieces. Three unknown ones, or a tenth of what varies, are news.
* Numbers are content: `Station 17` is not `Station 18`, and where nothing but numbers varies
  every new combination of them is news.
* Under addresses that carry a date, the numbers of a calendar (days, months, years, hours) are left out:
  "May 2031: no events" says no more than "May 2032: no events". Month names need no list, they
  come round within a year.
* Links count as new ground unless they stay on the same masked path or lead from one dated
  view to another, which is how calendars keep each other alive.

Memory is bounded and in the process: what is forgotten makes pages look new, never stale.
"""

import re
from collections import OrderedDict
from collections.abc import Iterable, Set
from dataclasses import dataclass, field, replace
from itertools import islice

from outrider.crawl.admission.traps import DATE, DEFAULT_TRAPS, TrapOptions, template_of

MOST_TEMPLATES = 500
MOST_PIECES = 1_024  # remembered of a template
_LONGEST_TEXT = 32_768  # read of a page
_MOST_LINES = 500  # told apart in it
_MOST_VARYING = 100  # compared
_LONG_LINE = 200  # longer ones are taken apart
_TAKEN_APART = 2_000  # characters of one; what follows is one piece more
_CLEARLY_NEW = 3  # unknown pieces
_GOOD_TO_TRUST = 4  # good pages in a row that double the stride
_MOST_DOUBLINGS = 4  # to one page in sixteen
_NEWS_SHARE = 0.1  # of what varies

_PIECE = re.compile(r"[^.!?;|\d]+(?:\d[\d.,:]*)?|\d[\d.,:]*")
_ASCII_PIECE = re.compile(r"[^.!?;|0-9]+(?:[0-9][0-9.,:]*)?|[0-9][0-9.,:]*")  # in half the time
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_CALENDAR_NUMBER = re.compile(r"(?:(?:19|20)\d\d|[0-2]?\d|3[01])(?::[0-5]\d){0,2}\Z")


def new_ground(template: str, new_urls: Iterable[str]) -> int:
    """How many of these never-seen URLs lead out of the template."""
    place, dated = template.partition("?")[0], DATE in template
    count = 0
    for url in new_urls:
        other = template_of(url) or url
        if other.partition("?")[0] != place and not (dated and DATE in other):
            count += 1
    return count


@dataclass(frozen=True, slots=True)
class Yield:
    """What one page of a template brought."""

    is_new: bool
    leads: int = 0


_UNREAD = Yield(is_new=True)  # taken on trust


@dataclass(frozen=True, slots=True)
class TemplateState:
    """What is known of a template."""

    fetched: int = 0
    barren_run: int = 0  # pages in a row that brought nothing
    barren: bool = False


def learn(state: TemplateState, page: Yield, options: TrapOptions = DEFAULT_TRAPS) -> TemplateState:
    """The template after one more page."""
    if page.is_new or page.leads > 0:
        return TemplateState(fetched=state.fetched + 1)
    run = state.barren_run + 1
    return replace(state, fetched=state.fetched + 1, barren_run=run, barren=run >= options.patience)


class Novelty:
    """What a template has shown lately, and whether a page adds to it."""

    __slots__ = ("_dated", "_labels", "_last", "_older", "_seen")

    def __init__(self, *, dated: bool) -> None:
        self._dated = dated
        self._seen: set[int] = set()  # pieces, and sets of them
        self._older: set[int] = set()  # what _seen was until it was full
        self._last: Set[int] = frozenset()  # the lines of the page before
        self._labels: Set[str] = frozenset()  # its varying pieces without their numbers

    def adds(self, text: str) -> bool:
        """Whether the page says something new; it is remembered either way."""
        lines = {hash(line): line for line in text[:_LONGEST_TEXT].split("\n", _MOST_LINES)}
        varying = self._pieces(line for key, line in lines.items() if key not in self._last)
        unseen = set(map(hash, varying)) - self._seen - self._older
        is_new = len(unseen) >= _CLEARLY_NEW or len(unseen) > len(varying) * _NEWS_SHARE
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
        """Whether only numbers vary from page to page, and never stood together like this."""
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


class Trust:
    """How often a template is looked at: the longer it has been good, the more pages go by unread.

    Reading a page costs as much as parsing it. Of a template that keeps giving every second, fourth, at last
    every sixteenth page is read; the first one that brings nothing makes us read every one again.
    """

    __slots__ = ("_good", "_until_next")

    def __init__(self) -> None:
        self._good = 0
        self._until_next = 0

    def is_due(self) -> bool:
        self._until_next -= 1
        return self._until_next < 0

    def learn(self, page: Yield) -> None:
        self._good = self._good + 1 if page.is_new or page.leads else 0
        self._until_next = 2 ** min(self._good // _GOOD_TO_TRUST, _MOST_DOUBLINGS) - 1


@dataclass(slots=True)
class TemplateHistory:
    """All that is known of a template."""

    novelty: Novelty
    trust: Trust = field(default_factory=Trust)
    state: TemplateState = TemplateState()


class TemplateWatch:
    """The templates of a crawl as one worker has come to know them."""

    def __init__(self, options: TrapOptions = DEFAULT_TRAPS) -> None:
        self.options = options
        self._known: OrderedDict[str, TemplateHistory] = OrderedDict()
        self.barren: set[str] = set()

    def observe(self, url: str, text: str, new_urls: Iterable[str]) -> TemplateState | None:
        """Learn from a page fetched for the first time; None when its address has nothing variable.

        A page fetched again is expected to say the same again: that says nothing about its template.
        """
        template = template_of(url)
        if template is None:
            return None
        known = self._at_hand(template)
        page = _UNREAD
        if known.trust.is_due():
            is_new = known.novelty.adds(text)
            # Where its links lead matters only for a page that says nothing.
            page = Yield(is_new, 0 if is_new else new_ground(template, new_urls))
            known.trust.learn(page)
        known.state = learn(known.state, page, self.options)
        (self.barren.add if known.state.barren else self.barren.discard)(template)
        return known.state

    def _at_hand(self, template: str) -> TemplateHistory:
        """What is known of a template, which is the last to be forgotten now."""
        known = self._known.get(template)
        if known is not None:
            self._known.move_to_end(template)
            return known
        known = self._known[template] = TemplateHistory(Novelty(dated=DATE in template))
        if len(self._known) > MOST_TEMPLATES:
            self._known.popitem(last=False)
        return known

    def is_barren(self, url: str) -> bool:
        """Whether a URL belongs to a template that has lost its turn."""
        return bool(self.barren) and template_of(url) in self.barren


def _split(line: str) -> Iterable[str]:
    pieces = _ASCII_PIECE if line.isascii() else _PIECE
    found = [piece[0] for piece in islice(pieces.finditer(line, 0, _TAKEN_APART), _MOST_VARYING)]
    return [*found, line[_TAKEN_APART:]]


def _without_calendar(number: re.Match[str]) -> str:
    return "" if _CALENDAR_NUMBER.match(number[0]) else number[0]
