"""Which blocks of a page are its main content."""

import re
from collections.abc import Iterable
from itertools import accumulate

from outrider.extract.text_blocks import Block, Outline, Region
from outrider.extract.text_hints import Role
from outrider.extract.text_kind import Kind

_ASIDE = re.compile(
    r"(?:related(?: (?:articles?|stor(?:y|ies)|posts?|content|coverage))?\s*:|read (?:more|also|next|the full)\b|see also\s*:|more (?:on this|from)\b"
    r"|advertisement\b|sponsored\b|sign up (?:for|to)\b|subscribe (?:to|now|here)\b|click here\b|follow (?:us|me|@)|share this\b|tags?\s*:|filed under\b"
    r"|(?:photo|image|picture|foto|source|credit)s?(?: by| credit)?\s*:|©|copyright\b|\(?c\) 20|all rights reserved|continue reading|loading\b|watch\s*:|listen\s*:|skip (?:to|past)\b)",
    re.IGNORECASE,
)
_PROSE = frozenset(("p", "blockquote", "pre", "dd"))
_TEXT = _PROSE | {"li", "dt", "td", "th"}
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_GROUPS = frozenset(
    ("ul", "ol", "dl", "table", "tbody", "tr", "td", "div", "section", "p", "li", "figure", "form")
)
_BOILERPLATE = frozenset((Role.CHROME, Role.COMMENTS, Role.META))


def choose(page: Outline, kind: Kind) -> list[Block]:
    """The blocks of the main content, in order.

    Every block is worth something: prose its length, a menu less than nothing. The region with the largest sum
    is the smallest one that holds the text and little else. Where such a region leaves much of the page's
    text outside, the page is no article but a list of things, and the widest region with text wins.
    """
    sums = _Sums(page, forum=kind is Kind.FORUM)
    everything = sums.everything()
    if kind in (Kind.FORUM, Kind.PRODUCT):
        return everything
    article = sums.article()
    enough = 0.5 if kind is Kind.ARTICLE else 0.75
    if _size(article) >= enough * _size(everything) or _is_prose_mostly(
        article, 300 if sums.claimed else 1500
    ):
        return _trimmed(article)
    return everything


class _Sums:
    """What the regions of a page hold, in running totals, so that each answer takes two look-ups."""

    def __init__(self, page: Outline, *, forum: bool) -> None:
        self.regions = page.regions
        self.blocks = page.blocks
        self.size = _running(block.size for block in page.blocks)
        self.linked = _running(block.size * block.linked for block in page.blocks)
        self.prose = _running(block.size if _is_prose(block) else 0 for block in page.blocks)
        self.claims = self._outermost(Role.BODY)
        comments = sum(self._prose_in(self.regions[number]) for number in self._outermost(Role.COMMENTS))
        self.comments_count = forum or self.prose[-1] - comments <= 250
        self.ignored = self._ignored()
        self.claimed = False

    def article(self) -> list[Block]:
        ignored = self._with_teasers(self.ignored)
        worth = _running(_prose_worth(block, ignored[block.region]) for block in self.blocks)
        best = self._best(worth, ignored)
        self.claimed = self.regions[best].role is Role.BODY
        return self._text_of(best, ignored, menus=0.6)

    def everything(self) -> list[Block]:
        worth = _running(_text_worth(block, self.ignored[block.region]) for block in self.blocks)
        return self._text_of(self._best(worth, self.ignored), self.ignored, menus=0.8)

    def _best(self, worth: list[float], ignored: list[bool]) -> int:
        best, most = 0, float("-inf")
        bonus = self._bonus(ignored)
        for number, region in enumerate(self.regions):
            if ignored[number] or region.start == region.end:
                continue
            value = _within(worth, region) * bonus.get(region.role, 1.0)
            if value >= most:
                best, most = number, value
        return best

    def _text_of(self, chosen: int, ignored: list[bool], *, menus: float) -> list[Block]:
        """The blocks of a region without boilerplate and without groups that are mostly links."""
        dropped = list(ignored)
        last = self.regions[chosen].end
        for number in range(chosen + 1, len(self.regions)):
            region = self.regions[number]
            if region.start >= last:
                break
            if dropped[region.parent]:
                dropped[number] = True
            elif region.tag in _GROUPS and region.end - region.start > 1:
                dropped[number] = _within(self.linked, region) > menus * _within(self.size, region)
        start = self.regions[chosen].start
        return [block for block in self.blocks[start:last] if not dropped[block.region]]

    def _bonus(self, ignored: list[bool]) -> dict[Role, float]:
        """How much a region's own claim to be the content counts: less, the more regions claim it."""
        claims = [self._prose_in(self.regions[number]) for number in self.claims if not ignored[number]]
        rivals = sum(claim > 0.25 * max(claims) for claim in claims)
        return {Role.BODY: 1.0 + 1.5 / max(rivals, 1), Role.CONTENT: 1.1}

    def _outermost(self, role: Role) -> list[int]:
        """The regions of that role that are not inside another of it."""
        found: list[int] = []
        end = 0
        for number, region in enumerate(self.regions):
            if region.role is role and region.start >= end:
                found.append(number)
                end = region.end
        return found

    def _prose_in(self, region: Region) -> float:
        return _within(self.prose, region)

    def _with_teasers(self, ignored: list[bool]) -> list[bool]:
        """Teasers count as boilerplate as well: beside an article they lead away from it."""
        more = list(ignored)
        for number, region in enumerate(self.regions):
            if region.parent >= 0 and more[region.parent]:
                more[number] = True
            elif region.role is Role.TEASER:
                more[number] = self._prose_in(region) <= 0.4 * self.prose[-1]
        return more

    def _ignored(self) -> list[bool]:
        """For each region whether it is boilerplate: by its own word, unless it holds what the page is about."""
        everything = self.prose[-1]
        holds_main = [False] * len(self.regions)
        for number in range(len(self.regions) - 1, 0, -1):
            region = self.regions[number]
            if (
                region.role is Role.BODY and self._prose_in(region) > 0.25 * everything
            ) or region.tag == "main":
                holds_main[number] = True
            if holds_main[number]:
                holds_main[region.parent] = True
        ignored = [False] * len(self.regions)
        for number, region in enumerate(self.regions):
            if region.parent >= 0 and ignored[region.parent]:
                ignored[number] = True
            elif region.role in _BOILERPLATE and not holds_main[number]:
                ignored[number] = self._is_boilerplate(region, everything)
        return ignored

    def _is_boilerplate(self, region: Region, everything: float) -> bool:
        prose = self._prose_in(region)
        match region.role:
            case Role.COMMENTS:
                return not self.comments_count
            case Role.META:
                return prose < 300 and prose <= 0.4 * everything
            case _ if region.tag in _PROSE and prose > 120:
                return False
            case _:
                return prose <= 0.65 * everything or self._rivalled(region)

    def _rivalled(self, region: Region) -> bool:
        """Whether a better claim to be the content stands outside the region."""
        return any(
            self._prose_in(claim) > 120 and (claim.end <= region.start or claim.start >= region.end)
            for claim in map(self.regions.__getitem__, self.claims)
        )


def _prose_worth(block: Block, ignored: bool) -> float:
    """What a block adds to the case that its region is an article."""
    if ignored:
        return -0.2 * block.size
    if block.linked > 0.5:
        return -0.6 * block.size - 5
    if block.tag in _HEADINGS:
        return 0.3 * min(block.size, 80)
    if block.tag in _PROSE and block.size > 30:
        return block.size * (1 - block.linked)
    if block.size > 80:
        return 0.9 * block.size * (1 - block.linked)
    return -3.0


def _text_worth(block: Block, ignored: bool) -> float:
    """What a block adds to the case that its region is the part of the page that is not frame."""
    if ignored:
        return -0.3 * block.size
    if block.tag in _HEADINGS:
        return block.size
    return block.size * (1 - 1.2 * block.linked)


def _is_prose(block: Block) -> bool:
    return block.size > 80 and block.linked < 0.5 and block.tag not in _HEADINGS


def _is_prose_mostly(blocks: list[Block], least: int) -> bool:
    prose = sum(block.size for block in blocks if _is_prose(block))
    return prose > least and prose > 0.7 * _size(blocks)


def _trimmed(blocks: list[Block]) -> list[Block]:
    """An article from its first prose to its last, with the heading above and the list items below."""
    first = next((i for i, block in enumerate(blocks) if _is_prose(block) or _is_sentence(block)), None)
    if first is None:
        return blocks
    last = next((i for i in range(len(blocks) - 1, first, -1) if _is_prose(blocks[i])), first)
    above = [block for block in blocks[:first] if block.tag in _HEADINGS and block.tag != "h1"]
    below = [block for block in blocks[last + 1 :] if block.tag in _TEXT]
    return [block for block in (*above[-1:], *blocks[first : last + 1], *below) if not _is_aside(block)]


def _is_sentence(block: Block) -> bool:
    return block.tag in _PROSE and block.size > 40 and block.linked < 0.5 and block.text[-1] in ".!?:…。！？"


def _is_aside(block: Block) -> bool:
    """A caption, or one of the lines that are put between the paragraphs of others."""
    if block.tag in ("figcaption", "figure"):
        return True
    return block.size < 200 and _ASIDE.match(block.text) is not None


def _size(blocks: list[Block]) -> int:
    return sum(block.size for block in blocks)


def _running(values: Iterable[float]) -> list[float]:
    return [0.0, *accumulate(values)]


def _within(running: list[float], region: Region) -> float:
    return running[region.end] - running[region.start]
