"""How far an article reaches around the region that is worth most."""

from bisect import bisect_left

from outrider.extract.text.blocks import PROSE, Region, TextBlock
from outrider.extract.text.hints import Role
from outrider.extract.text.sums import CLAIM, Sums

NAME = 15  # bytes of a heading that can name one article among others
MAX_TITLE = 1000  # characters
PARAGRAPH = 250  # bytes of a block that is no longer a summary of what follows
NEAR = 12  # blocks between a headline and its article: who, when, where


def named_article(sums: Sums, best: int, title: str) -> int | None:
    """The one article of several in a region that the page is called by: some pages go on with the next."""
    inside = sums.regions[best]
    articles = [
        number
        for number, region in enumerate(sums.regions[best + 1 :], start=best + 1)
        if region.tag == "article" and region.start < inside.end and sums.prose_in(region) > CLAIM
    ]
    if len(articles) < 2:
        return None
    headings = [at for at, block in enumerate(sums.blocks) if block.tag in ("h1", "h2") and block.size > NAME]
    titles = [at for at in headings if sums.blocks[at].text in title[:MAX_TITLE]]
    headed: list[int] = []
    for number in articles:
        is_apart = not headed or sums.regions[number].start >= sums.regions[headed[-1]].end
        if is_apart and _holds_one(headings, sums.regions[number]):
            headed.append(number)
    called = [number for number in headed if _holds_one(titles, sums.regions[number])]
    return called[0] if len(called) == 1 < len(headed) else None


def _holds_one(blocks: list[int], region: Region) -> bool:
    return bisect_left(blocks, region.start) < bisect_left(blocks, region.end)


def with_twins(sums: Sums, best: int, ignored: list[bool]) -> tuple[int, list[bool]]:
    """The region, or what holds it and others of its name: an advertisement may cut an article in two."""
    outer = best
    while outer > 0 and sums.regions[sums.regions[outer].parent].role is Role.BODY:
        outer = sums.regions[outer].parent
    parent, tag = sums.regions[outer].parent, sums.regions[outer].tag
    siblings = [number for number, region in enumerate(sums.regions) if region.parent == parent]
    twins = {
        number
        for number in siblings
        if sums.regions[number].tag == tag
        and sums.is_claimed(number)
        and not ignored[number]
        and sums.prose_in(sums.regions[number]) > CLAIM
    }
    if outer not in twins or len(twins) == 1:
        return best, ignored
    beside = list(ignored)
    for number in siblings:
        beside[number] = number not in twins
    return parent, beside


def opening(sums: Sums, best: int, ignored: list[bool]) -> list[TextBlock]:
    """The paragraphs between the headline and the region, where they stand outside of it."""
    paragraphs: list[TextBlock] = []
    start = sums.regions[best].start
    for block in reversed(sums.blocks[max(0, start - NEAR) : start]):
        if block.tag == "h1":
            return paragraphs[::-1]
        if not ignored[block.region] and block.tag in PROSE and block.size > PARAGRAPH and block.linked < 0.3:
            paragraphs.append(block)
    return []
