"""What the regions of a page hold, in running totals, so that each answer takes two look-ups."""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable
from itertools import accumulate
from operator import attrgetter

from outrider.extract.text.blocks import HEADINGS, PROSE, Outline, Region, TextBlock, tags
from outrider.extract.text.hints import Role, is_markup

FEW = 250  # bytes of prose that a page with nothing but readers' comments may have beside them
CLAIM = 120  # bytes of prose below which a region's claim to be the content is ignored
MOST = 0.65  # the share of a page's prose that makes a region content, whatever it is called
POOL = 0.35  # the share of a page's text above which a name that should mean something secondary does not
CHROME_POOL = 0.5  # the same for a name that should mean navigation and the like
PROOF = 200  # bytes; less text proves no name wrong
ALL = 0.8  # the share of a page's text that even an element made for navigation holds only by mistake
MAIN = 0.4  # the share of what is no boilerplate that makes <main> the container of the rest
MOST_OF_IT = 0.9  # the share of a container's text that makes one of its parts the container
LINK_EACH = 0.7  # links that begin in a block of a menu, at least; a card is one link around several blocks
CARD = 500  # bytes; a shorter text without links may still be the foretaste of another page
TABLE = 0.95  # the share of links above which a table is a menu, and not facts with their names linked
GROUPS = tags("ul ol dl table tbody tr td div section p li figure form")

Worth = Callable[[TextBlock, bool], float]


class Sums:
    """A page's text by region: which regions to leave out, and which one is worth most."""

    def __init__(self, page: Outline, *, forum: bool) -> None:
        self.regions = page.regions
        self.blocks = page.blocks
        self._size = _running(block.size for block in page.blocks)
        self._linked = _running(block.size * block.linked for block in page.blocks)
        self._links = _running(block.links > 0 for block in page.blocks)
        self._prose = _running(block.size if is_prose(block) else 0 for block in page.blocks)
        self._claims = [claim for claim in self._outermost(Role.BODY) if self.prose_in(claim) > CLAIM]
        comments = sum(map(self.prose_in, self._outermost(Role.COMMENTS)))
        self._comments_are_content = forum or self._prose[-1] - comments <= FEW
        self._holds_main = self._with_main()
        self.frame = self._boilerplate(self._is_frame)
        self._misnomers = self._names_of_content()
        self.page_frame = self._boilerplate(self._is_page_frame)

    def with_teasers(self) -> list[bool]:
        """The frame, and the teasers with it: beside an article they lead away from it."""
        ignored = list(self.frame)
        nested = self._nested_articles()
        for number, region in enumerate(self.regions):
            if region.parent >= 0 and ignored[region.parent]:
                ignored[number] = True
            elif number in nested or (region.role is Role.TEASER and not self._is_card(region)):
                ignored[number] = self.prose_in(region) <= 0.4 * self._prose[-1]
        return ignored

    def best(self, worth: Worth, ignored: list[bool], *, claims_count: bool = True) -> int:
        """The region whose blocks are worth most together; the innermost of equals."""
        worths = _running(worth(block, ignored[block.region]) for block in self.blocks)
        bonus = self._bonus() if claims_count else {}
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
            if region.tag == "main" and _within(kept, region) > MAIN * kept[-1]:
                return number
        chosen = 0
        for number, region in enumerate(self.regions):
            most = MOST_OF_IT * _within(kept, self.regions[chosen])
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
        least = 0.0 if short == math.inf else LINK_EACH
        for number in range(chosen + 1, len(self.regions)):
            region = self.regions[number]
            if region.start >= end:
                break
            if dropped[region.parent]:
                dropped[number] = True
            elif region.tag in GROUPS and region.end - region.start > 1:
                size, count = _within(self._size, region), region.end - region.start
                most = TABLE if region.tag in ("table", "tbody", "tr") else menus
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

    def is_claimed(self, chosen: int) -> bool:
        """Whether the region calls itself the body of an article."""
        return self.regions[chosen].role is Role.BODY

    def holds_claims(self, chosen: int) -> bool:
        """Whether most of the region's prose stands where the page calls it the body of an article."""
        region = self.regions[chosen]
        claims = (claim for claim in self._claims if region.start <= claim.start and claim.end <= region.end)
        return self.is_claimed(chosen) or sum(map(self.prose_in, claims)) > 0.5 * self.prose_in(region)

    def _with_main(self) -> list[bool]:
        """For each region whether it holds <main> or a claim to be the content that is worth hearing."""
        holds_main = [False] * len(self.regions)
        for number in range(len(self.regions) - 1, 0, -1):
            region = self.regions[number]
            is_body = region.role is Role.BODY and self.prose_in(region) > 0.25 * self._prose[-1]
            if is_body or region.tag == "main":
                holds_main[number] = True
            if holds_main[number]:
                holds_main[region.parent] = True
        return holds_main

    def _boilerplate(self, is_frame: Callable[[Region, float], bool]) -> list[bool]:
        """For each region whether it is frame: by its own word, unless it holds what the page is about."""
        frame = [False] * len(self.regions)
        bodies = [0.0] * len(self.regions)  # the prose of what claims to be the content around each
        for number, region in enumerate(self.regions):
            body = bodies[region.parent] if region.parent >= 0 else 0.0
            bodies[number] = self.prose_in(region) if region.role is Role.BODY else body
            if region.parent >= 0 and frame[region.parent]:
                frame[number] = True
            elif not self._holds_main[number]:
                frame[number] = is_frame(region, body)
        return frame

    def _names_of_content(self) -> set[str]:
        """Words that should mean boilerplate, and stand on so much of this page that they cannot.

        What is the same on every page of a site is no large part of one. A name that holds a large part is a
        misnomer, as an `overlay` around the page; the parts of all regions that have it are added up.
        """
        within_chrome = [False] * len(self.regions)
        held: dict[str, float] = {}
        ends: dict[str, int] = {}
        limits: dict[str, float] = {}
        everything = self._size[-1]
        for number, region in enumerate(self.regions):
            if region.parent >= 0 and within_chrome[region.parent]:
                within_chrome[number] = True
            elif region.role is Role.CHROME and is_markup(region.word):
                within_chrome[number] = True
                everything -= _within(self._size, region)
            elif region.role in (Role.CHROME, Role.BESIDE) and region.start >= ends.get(region.word, 0):
                ends[region.word] = region.end
                held[region.word] = held.get(region.word, 0.0) + _within(self._size, region)
                limits[region.word] = CHROME_POOL if region.role is Role.CHROME else POOL
        return {word for word, size in held.items() if size > max(limits[word] * everything, PROOF)}

    def _nested_articles(self) -> set[int]:
        """Articles inside of an article, where there are several: what to read next, or what readers say."""
        inside = [False] * len(self.regions)
        nested: set[int] = set()
        for number, region in enumerate(self.regions):
            is_inside = region.parent >= 0 and inside[region.parent]
            inside[number] = is_inside or region.tag == "article"
            if is_inside and region.tag == "article" and not self.frame[number]:
                nested.add(number)
        return nested if len(nested) > 1 else set()

    def _is_card(self, region: Region) -> bool:
        """Whether what is called a teaser leads nowhere: a recipe, a profile, a box of facts."""
        size = _within(self._size, region)
        return size > CARD and _within(self._linked, region) < 0.1 * size

    def _is_frame(self, region: Region, body: float) -> bool:
        prose, everything = self.prose_in(region), self._prose[-1]
        match region.role:
            case Role.COMMENTS:
                return not self._comments_are_content
            case Role.META:
                return prose < 300 and prose <= 0.4 * everything
            case Role.CHROME | Role.BESIDE | Role.LOOK:
                if region.tag == "pre" or (region.tag in PROSE and prose > 120):
                    return False
                if body > 0.25 * everything and prose > MOST * body:
                    return False  # the rest of an article, behind a button that reads "more"
                return prose <= MOST * everything or self._has_rival(region)
        return False

    def _is_page_frame(self, region: Region, body: float) -> bool:
        """Whether a region is frame on any page: names that only tell a look or a place are not believed."""
        match region.role:
            case Role.COMMENTS:
                return not self._comments_are_content
            case Role.CHROME if is_markup(region.word):
                return _within(self._size, region) <= ALL * self._size[-1]
            case Role.CHROME | Role.BESIDE:
                return region.word not in self._misnomers
        return False

    def _has_rival(self, region: Region) -> bool:
        """Whether a claim to be the content stands outside the region: before it or after."""
        before = bisect_right(self._claims, region.start, key=attrgetter("end"))
        after = len(self._claims) - bisect_left(self._claims, region.end, key=attrgetter("start"))
        return before + after > 0

    def _bonus(self) -> dict[Role, float]:
        """How much a region's own claim to be the content counts: less, the more regions claim it."""
        claims = [self.prose_in(claim) for claim in self._claims]
        largest = max(claims, default=0.0)
        rivals = sum(claim > 0.25 * largest for claim in claims)
        return {Role.BODY: 1.0 + 1.5 / max(rivals, 1) ** 2, Role.CONTENT: 1.1}

    def _outermost(self, role: Role) -> list[Region]:
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
    """What a block adds to the case that its region is the part of the page that is not frame."""
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
