"""How far an article reaches around the region that is worth most."""

from bisect import bisect_left

from outrider.extract.text.blocks import PROSE, Region, TextBlock
from outrider.extract.text.hints import RegionRole
from outrider.extract.text.region_totals import MIN_BODY_PROSE, RegionTotals

MIN_HEADING_SIZE = 15  # bytes; a shorter heading does not identify an article
MAX_TITLE = 1000  # characters
MIN_PARAGRAPH_SIZE = 250  # bytes; a shorter block above the region is a summary
MAX_BLOCKS_TO_HEADLINE = 12  # author, date and place stand between


def named_article(totals: RegionTotals, best: int, title: str) -> int | None:
    """The one article of several in a region that the page is called by: some pages go on with the next."""
    inside = totals.regions[best]
    articles = [
        number
        for number, region in enumerate(totals.regions[best + 1 :], start=best + 1)
        if region.tag == "article" and region.start < inside.end and totals.prose_in(region) > MIN_BODY_PROSE
    ]
    if len(articles) < 2:
        return None
    headings = [
        at
        for at, block in enumerate(totals.blocks)
        if block.tag in ("h1", "h2") and block.size > MIN_HEADING_SIZE
    ]
    titles = [at for at in headings if totals.blocks[at].text in title[:MAX_TITLE]]
    headed: list[int] = []
    for number in articles:
        is_apart = not headed or totals.regions[number].start >= totals.regions[headed[-1]].end
        if is_apart and _holds_one(headings, totals.regions[number]):
            headed.append(number)
    called = [number for number in headed if _holds_one(titles, totals.regions[number])]
    return called[0] if len(called) == 1 < len(headed) else None


def _holds_one(blocks: list[int], region: Region) -> bool:
    return bisect_left(blocks, region.start) < bisect_left(blocks, region.end)


def with_twins(totals: RegionTotals, best: int, ignored: list[bool]) -> tuple[int, list[bool]]:
    """The region, or what holds it and others of its name: an advertisement may cut an article in two."""
    outer = best
    while outer > 0 and totals.regions[totals.regions[outer].parent].role is RegionRole.BODY:
        outer = totals.regions[outer].parent
    parent, tag = totals.regions[outer].parent, totals.regions[outer].tag
    siblings = [number for number, region in enumerate(totals.regions) if region.parent == parent]
    twins = {
        number
        for number in siblings
        if totals.regions[number].tag == tag
        and totals.is_body(number)
        and not ignored[number]
        and totals.prose_in(totals.regions[number]) > MIN_BODY_PROSE
    }
    if outer not in twins or len(twins) == 1:
        return best, ignored
    beside = list(ignored)
    for number in siblings:
        beside[number] = number not in twins
    return parent, beside


def opening(totals: RegionTotals, best: int, ignored: list[bool]) -> list[TextBlock]:
    """The paragraphs between the headline and the region, where they stand outside of it."""
    paragraphs: list[TextBlock] = []
    start = totals.regions[best].start
    for block in reversed(totals.blocks[max(0, start - MAX_BLOCKS_TO_HEADLINE) : start]):
        if block.tag == "h1":
            return paragraphs[::-1]
        if (
            not ignored[block.region]
            and block.tag in PROSE
            and block.size > MIN_PARAGRAPH_SIZE
            and block.linked < 0.3
        ):
            paragraphs.append(block)
    return []
