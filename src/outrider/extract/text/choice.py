"""Which blocks of a page are its main content."""

import re

from outrider.extract.text.blocks import HEADINGS, PROSE, Outline, TextBlock, size_of
from outrider.extract.text.extent import named_article, opening, with_twins
from outrider.extract.text.kind import TextKind
from outrider.extract.text.region_totals import RegionTotals, is_prose, worth_as_article, worth_as_part
from outrider.extract.text.whole_page import whole_page

MENU_LINK_SHARE = 0.6  # a group inside an article with a larger share of links is a menu
MAX_INTRODUCTION_SIZE = 600  # bytes; a shorter text above a long list introduces the list
ONE_TEXT_PROSE_SHARE = 0.5  # of the prose side by side make the page one text

_TEXT = PROSE | {"li", "dt", "td", "th"}
_SENTENCE_ENDS = ".!?:…。！？"

# The beginnings of lines between the paragraphs of an article that do not belong to it.
_INTERRUPTION = re.compile(
    r"related(?: articles?| stor(?:y|ies)| posts?| content| coverage)?\s*:|read (?:more|also|next|the full)\b"
    r"|see also\s*:|more (?:on this|from)\b|continue reading|click here\b|watch\s*:|listen\s*:|loading\b"
    r"|advertisement\b|sponsored\b|sign up (?:for|to)\b|subscribe (?:to|now|here)\b|follow (?:us|me|@)"
    r"|share this\b|tags?\s*:|filed under\b|(?:photo|image|picture|foto|source|credit)s?(?: by| credit)?\s*:"
    r"|©|copyright\b|all rights reserved",
    re.IGNORECASE,
)


def choose(page: Outline, kind: TextKind, title: str = "") -> list[TextBlock]:
    """The blocks of the main content of a page that is called `title`, in order.

    Every block is worth something: prose its length, a menu less than nothing. The region with the largest
    sum is the smallest one that holds the text and little else. It is the content where the page is one text:
    where it says so itself, or where most of its prose stands side by side. The prose of other pages stands
    in many places, and their content is the whole page without boilerplate.
    """
    totals = RegionTotals(page, forum=kind is TextKind.FORUM)
    if kind is TextKind.RECIPE:
        # The story around a recipe is named as the body. Ingredients and steps are hardly prose.
        parts = totals.text_of(
            totals.best(worth_as_part, totals.article_boilerplate, body_counts_more=False),
            totals.article_boilerplate,
            menus=MENU_LINK_SHARE,
        )
        return [block for block in parts if block.tag != "h1" and not _is_aside(block)]
    whole = whole_page(totals, kind)
    if kind in (TextKind.FORUM, TextKind.PRODUCT):
        return whole
    beside = totals.with_teasers()
    best = totals.best(worth_as_article, beside)
    if kind is TextKind.ARTICLE and (named := named_article(totals, best, title)) is not None:
        return _trimmed(totals.text_of(named, beside, menus=MENU_LINK_SHARE))
    article = [
        *opening(totals, best, beside),
        *totals.text_of(*with_twins(totals, best, beside), menus=MENU_LINK_SHARE),
    ]
    is_body = totals.is_body(best)
    is_together = totals.side_by_side(article) >= max(ONE_TEXT_PROSE_SHARE * _prose_of(whole), 1)
    is_one_text = is_together and not totals.page_boilerplate[best]
    if not is_one_text and not (kind is TextKind.ARTICLE and totals.is_mostly_bodies(best)):
        return _trimmed(whole) if kind is TextKind.ARTICLE else whole
    if _is_prose(article, least=300 if is_body else 1500):
        return _trimmed(article)
    return whole if _is_small_part(totals, article, whole, kind) else _trimmed(article)


def _is_small_part(
    totals: RegionTotals, article: list[TextBlock], whole: list[TextBlock], kind: TextKind
) -> bool:
    """Whether what looks like an article only introduces the rest of the page."""
    container = totals.container(totals.page_boilerplate)
    text = totals.text_of(container, totals.page_boilerplate, menus=0.8)
    if size_of(article) < (0.5 if kind is TextKind.ARTICLE else 0.75) * size_of(text):
        return True
    may_list = kind is not TextKind.ARTICLE or totals.is_body(container)
    return may_list and size_of(article) < MAX_INTRODUCTION_SIZE and 2 * size_of(article) < size_of(whole)


def _prose_of(blocks: list[TextBlock]) -> int:
    return sum(block.size for block in blocks if is_prose(block))


def _is_prose(blocks: list[TextBlock], least: int) -> bool:
    prose = _prose_of(blocks)
    return prose > least and prose > 0.7 * size_of(blocks)


def _trimmed(blocks: list[TextBlock]) -> list[TextBlock]:
    """An article from its first sentence to its last, the heading above it and what is set as text below."""
    first = next((i for i, block in enumerate(blocks) if is_prose(block) or _is_sentence(block)), None)
    if first is None:
        return blocks
    last = next((i for i in range(len(blocks) - 1, first, -1) if is_prose(blocks[i])), first)
    above = [block for block in blocks[:first] if block.tag in HEADINGS and block.tag != "h1"]
    whole = (*above[-1:], *blocks[first : last + 1], *_set_as_text(blocks[last + 1 :]))
    return [block for block in whole if not _is_aside(block)]


def _set_as_text(blocks: list[TextBlock]) -> list[TextBlock]:
    """Lists, tables and short lines, with the headings that stand above them."""
    kept = [block.tag in _TEXT for block in blocks] + [False]
    return [block for i, block in enumerate(blocks) if kept[i] or (block.tag in HEADINGS and kept[i + 1])]


def _is_sentence(block: TextBlock) -> bool:
    """A short one, or code: manuals begin with it."""
    if block.tag == "pre":
        return True
    return block.tag in PROSE and block.size > 40 and block.linked < 0.5 and block.text[-1] in _SENTENCE_ENDS


def _is_aside(block: TextBlock) -> bool:
    """A caption, or one of the lines that are put between paragraphs."""
    if block.tag in ("figcaption", "figure"):
        return True
    return block.size < 200 and _INTERRUPTION.match(block.text) is not None
