"""What the regions of a page hold, in running totals, so that each answer takes two look-ups."""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable
from itertools import accumulate
from operator import attrgetter

from outrider.extract.text.blocks import HEADINGS, PROSE, Outline, Region, TextBlock, tags
from outrider.extract.text.hints import RegionRole, is_markup

# Sizes are in bytes, shares are parts of 1.
MAX_PROSE_BESIDE_COMMENTS = 250  # a page with less prose outside its comments consists of comments
MIN_BODY_PROSE = 120  # a region with less prose is no body of an article, whatever it is called
CONTENT_PROSE_SHARE = 0.65  # a region with more of the page's prose is content, whatever it is called
# A name of a role is misleading on a page where its elements hold more than this share of the text.
SECONDARY_TEXT_SHARE = 0.35
BOILERPLATE_TEXT_SHARE = 0.5
MIN_MISLEADING_SIZE = 200  # elements with less text do not make a name misleading
LANDMARK_TEXT_SHARE = 0.8  # a tag or landmark of boilerplate with more of the text is a container
MAIN_TEXT_SHARE = 0.4  # <main> with more of the text is the container
CONTAINER_TEXT_SHARE = 0.9  # a part with more of the container's text is the container instead
MENU_LINKS_PER_BLOCK = 0.7  # a menu has more links per block; a card is one link around several blocks
MIN_CARD_SIZE = 500  # a shorter text without links may be a teaser of another page
TABLE_LINK_SHARE = 0.95  # a table with a smaller share of links holds facts and is no menu
GROUP_TAGS = tags("ul ol dl table tbody tr td div section p li figure form")

Worth = Callable[[TextBlock, bool], float]


class RegionTotals:
    """A page's text by region: which regions to leave out, and which one is worth most."""

    def __init__(self, page: Outline, *, forum: bool) -> None:
        self.regions = page.regions
        self.blocks = page.blocks
        self._size = _running(block.size for block in page.blocks)
        self._linked = _running(block.size * block.linked for block in page.blocks)
        self._links = _running(block.links > 0 for block in page.blocks)
        self._prose = _running(block.size if is_prose(block) else 0 for block in page.blocks)
        self._bodies = [
            body for body in self._outermost(RegionRole.BODY) if self.prose_in(body) > MIN_BODY_PROSE
        ]
        comments = sum(map(self.prose_in, self._outermost(RegionRole.COMMENTS)))
        self._comments_are_content = forum or self._prose[-1] - comments <= MAX_PROSE_BESIDE_COMMENTS
        self._holds_main = self._with_main()
        self.article_boilerplate = self._mark_boilerplate(self._is_article_boilerplate)
        self._misleading_names = self._find_misleading_names()
        self.page_boilerplate = self._mark_boilerplate(self._is_page_boilerplate)

    def with_teasers(self) -> list[bool]:
        """The boilerplate beside an article, with the teasers of other pages."""
        ignored = list(self.article_boilerplate)
        nested = self._nested_articles()
        for number, region in enumerate(self.regions):
            if region.parent >= 0 and ignored[region.parent]:
                ignored[number] = True
            elif number in nested or (region.role is RegionRole.TEASER and not self._is_card(region)):
                ignored[number] = self.prose_in(region) <= 0.4 * self._prose[-1]
        return ignored

    def best(self, worth: Worth, ignored: list[bool], *, body_counts_more: bool = True) -> int:
        """The region whose blocks are worth most together; the innermost of equals."""
        worths = _running(worth(block, ignored[block.region]) for block in self.blocks)
        bonus = self._bonus() if body_counts_more else {}
        best, most = 0, float("-inf")
        for number, region in enumerate(self.regions):
            if ignored[number] or region.start == region.end:
                continue
            value = _within(worths, region) * bonus.get(region.role, 1.0)
            if value >= most:
                best, most = number, value
        return best

    def container(self, ignored: list[bool]) -> int:
        """The smallest region that holds nearly all that is not ignored; <main>, where it holds enough."""
        kept = _running(0 if ignored[block.region] else block.size for block in self.blocks)
        for number, region in enumerate(self.regions):
            if region.tag == "main" and _within(kept, region) > MAIN_TEXT_SHARE * kept[-1]:
                return number
        chosen = 0
        for number, region in enumerate(self.regions):
            most = CONTAINER_TEXT_SHARE * _within(kept, self.regions[chosen])
            if region.parent == chosen and _within(kept, region) > most:
                chosen = number
        return chosen

    def all_of(self, chosen: int, ignored: list[bool]) -> list[TextBlock]:
        """The blocks of a region without the ignored ones, menus and all."""
        inside = self.blocks[self.regions[chosen].start : self.regions[chosen].end]
        return [block for block in inside if not ignored[block.region]]

    def text_of(
        self, chosen: int, ignored: list[bool], *, menus: float, short: float = math.inf
    ) -> list[TextBlock]:
        """The blocks of a region without the ignored ones and without menus.

        A menu is a group of blocks that are links to more than that share. Given what is `short`, its blocks
        are also shorter than that on the average, and nearly each of them is a link of its own.
        """
        dropped = list(ignored)
        start, end = self.regions[chosen].start, self.regions[chosen].end
        least = 0.0 if short == math.inf else MENU_LINKS_PER_BLOCK
        for number in range(chosen + 1, len(self.regions)):
            region = self.regions[number]
            if region.start >= end:
                break
            if dropped[region.parent]:
                dropped[number] = True
            elif region.tag in GROUP_TAGS and region.end - region.start > 1:
                size, count = _within(self._size, region), region.end - region.start
                most = TABLE_LINK_SHARE if region.tag in ("table", "tbody", "tr") else menus
                is_linked = _within(self._linked, region) > most * size
                is_menu = is_linked and _within(self._links, region) >= least * count
                dropped[number] = is_menu and size < short * count
        return [block for block in self.blocks[start:end] if not dropped[block.region]]

    def side_by_side(self, blocks: list[TextBlock]) -> int:
        """How many bytes of prose stand side by side in one region, at most."""
        together: dict[int, int] = {}
        for block in blocks:
            if is_prose(block):
                is_paragraph = block.tag in PROSE or block.tag == "li"
                parent = self.regions[block.region].parent if is_paragraph else block.region
                together[parent] = together.get(parent, 0) + block.size
        return max(together.values(), default=0)

    def is_body(self, chosen: int) -> bool:
        """Whether the name of the region says that it is the body of an article."""
        return self.regions[chosen].role is RegionRole.BODY

    def is_mostly_bodies(self, chosen: int) -> bool:
        """Whether most of the region's prose is in bodies of an article, by their names."""
        region = self.regions[chosen]
        inside = (body for body in self._bodies if region.start <= body.start and body.end <= region.end)
        return self.is_body(chosen) or sum(map(self.prose_in, inside)) > 0.5 * self.prose_in(region)

    def _with_main(self) -> list[bool]:
        """For each region whether it holds <main> or a body with much of the page's prose."""
        holds_main = [False] * len(self.regions)
        for number in range(len(self.regions) - 1, 0, -1):
            region = self.regions[number]
            is_body = region.role is RegionRole.BODY and self.prose_in(region) > 0.25 * self._prose[-1]
            if is_body or region.tag == "main":
                holds_main[number] = True
            if holds_main[number]:
                holds_main[region.parent] = True
        return holds_main

    def _mark_boilerplate(self, is_boilerplate: Callable[[Region, float], bool]) -> list[bool]:
        """For each region whether it is boilerplate: by its role, unless it holds the main content."""
        marked = [False] * len(self.regions)
        bodies = [0.0] * len(self.regions)  # the prose of the body around each
        for number, region in enumerate(self.regions):
            body = bodies[region.parent] if region.parent >= 0 else 0.0
            bodies[number] = self.prose_in(region) if region.role is RegionRole.BODY else body
            if region.parent >= 0 and marked[region.parent]:
                marked[number] = True
            elif not self._holds_main[number]:
                marked[number] = is_boilerplate(region, body)
        return marked

    def _find_misleading_names(self) -> set[str]:
        """The names of boilerplate that hold too much of this page to be right.

        Boilerplate is a small part of a page. A name such as `overlay` on an element around the whole page
        is misleading. The sizes of all regions with the same name are added up.
        """
        within_landmark = [False] * len(self.regions)
        held: dict[str, float] = {}
        ends: dict[str, int] = {}
        limits: dict[str, float] = {}
        everything = self._size[-1]
        for number, region in enumerate(self.regions):
            if region.parent >= 0 and within_landmark[region.parent]:
                within_landmark[number] = True
            elif region.role is RegionRole.BOILERPLATE and is_markup(region.word):
                within_landmark[number] = True
                everything -= _within(self._size, region)
            elif region.role in (RegionRole.BOILERPLATE, RegionRole.SECONDARY) and region.start >= ends.get(
                region.word, 0
            ):
                ends[region.word] = region.end
                held[region.word] = held.get(region.word, 0.0) + _within(self._size, region)
                limits[region.word] = (
                    BOILERPLATE_TEXT_SHARE if region.role is RegionRole.BOILERPLATE else SECONDARY_TEXT_SHARE
                )
        return {
            word for word, size in held.items() if size > max(limits[word] * everything, MIN_MISLEADING_SIZE)
        }

    def _nested_articles(self) -> set[int]:
        """Articles inside of an article, where there are several: what to read next, or what readers say."""
        inside = [False] * len(self.regions)
        nested: set[int] = set()
        for number, region in enumerate(self.regions):
            is_inside = region.parent >= 0 and inside[region.parent]
            inside[number] = is_inside or region.tag == "article"
            if is_inside and region.tag == "article" and not self.article_boilerplate[number]:
                nested.add(number)
        return nested if len(nested) > 1 else set()

    def _is_card(self, region: Region) -> bool:
        """Whether what is called a teaser leads nowhere: a recipe, a profile, a box of facts."""
        size = _within(self._size, region)
        return size > MIN_CARD_SIZE and _within(self._linked, region) < 0.1 * size

    def _is_article_boilerplate(self, region: Region, body: float) -> bool:
        prose, everything = self.prose_in(region), self._prose[-1]
        match region.role:
            case RegionRole.COMMENTS:
                return not self._comments_are_content
            case RegionRole.META:
                return prose < 300 and prose <= 0.4 * everything
            case RegionRole.BOILERPLATE | RegionRole.SECONDARY | RegionRole.PRESENTATION:
                if region.tag == "pre" or (region.tag in PROSE and prose > 120):
                    return False
                if body > 0.25 * everything and prose > CONTENT_PROSE_SHARE * body:
                    return False  # the rest of an article, behind a button that reads "more"
                return prose <= CONTENT_PROSE_SHARE * everything or self._has_body_outside(region)
        return False

    def _is_page_boilerplate(self, region: Region, body: float) -> bool:
        """Whether a region is boilerplate on any page. Names of a presentation do not count."""
        match region.role:
            case RegionRole.COMMENTS:
                return not self._comments_are_content
            case RegionRole.BOILERPLATE if is_markup(region.word):
                return _within(self._size, region) <= LANDMARK_TEXT_SHARE * self._size[-1]
            case RegionRole.BOILERPLATE | RegionRole.SECONDARY:
                return region.word not in self._misleading_names
        return False

    def _has_body_outside(self, region: Region) -> bool:
        """Whether a body of an article stands before or after the region."""
        before = bisect_right(self._bodies, region.start, key=attrgetter("end"))
        after = len(self._bodies) - bisect_left(self._bodies, region.end, key=attrgetter("start"))
        return before + after > 0

    def _bonus(self) -> dict[RegionRole, float]:
        """The factor for the worth of a region by its role. More bodies on a page count less each."""
        sizes = [self.prose_in(body) for body in self._bodies]
        largest = max(sizes, default=0.0)
        large = sum(size > 0.25 * largest for size in sizes)
        return {RegionRole.BODY: 1.0 + 1.5 / max(large, 1) ** 2, RegionRole.CONTENT: 1.1}

    def _outermost(self, role: RegionRole) -> list[Region]:
        """The regions of a role that are not inside another one of it."""
        found: list[Region] = []
        for region in self.regions:
            if region.role is role and (not found or region.start >= found[-1].end):
                found.append(region)
        return found

    def prose_in(self, region: Region) -> float:
        """How many bytes of it were written for reading."""
        return _within(self._prose, region)


def is_prose(block: TextBlock) -> bool:
    """Whether a block is long enough and plain enough to have been written for reading."""
    return block.size > 80 and block.linked < 0.5 and block.tag not in HEADINGS


def worth_as_article(block: TextBlock, ignored: bool) -> float:
    """What a block adds to the case that its region is an article."""
    if ignored:
        return -0.2 * block.size
    if block.linked > 0.5:
        return -0.6 * block.size - 5
    if block.tag in HEADINGS:
        return 0.3 * min(block.size, 80)
    if block.tag in PROSE and block.size > 30:
        return block.size * (1 - block.linked)
    if block.size > 80:
        return 0.9 * block.size * (1 - block.linked)
    return -3.0


def worth_as_text(block: TextBlock, ignored: bool) -> float:
    """What a block adds to the case that its region is the part of the page without boilerplate."""
    if ignored:
        return -0.3 * block.size
    if block.tag in HEADINGS:
        return block.size
    if block.linked > 0.8:  # the name of a thing, or an entry of a menu
        return 0.2 * block.size if block.size > 20 else -0.2 * block.size
    return block.size * (1 - block.linked)


def worth_as_part(block: TextBlock, ignored: bool) -> float:
    """What a block adds to the case that its region holds all parts of a thing, far apart as they may be."""
    return -0.1 * block.size if ignored else worth_as_text(block, ignored)


def _running(values: Iterable[float]) -> list[float]:
    return [0.0, *accumulate(values)]


def _within(running: list[float], region: Region) -> float:
    return running[region.end] - running[region.start]
