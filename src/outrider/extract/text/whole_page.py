"""The text of a page that is no single article: a thread, a list of things, a product, a service."""

from outrider.extract.text.blocks import TextBlock, size_of
from outrider.extract.text.kind import TextKind
from outrider.extract.text.region_totals import RegionTotals
from outrider.extract.text.repetition import without_repetition

MENU_LINK_SHARE = 0.8  # a menu has a larger share of links
MAX_MENU_ENTRY_SIZE = 18  # bytes, on the average; names of articles and products are longer
MIN_SHARE_WITHOUT_MENUS = 0.35  # if less of the text is left without menus, the menus are the content
MIN_STRICT_SHARE = 0.8  # if less of the text is left by all names of boilerplate, only the strong ones count


def whole_page(totals: RegionTotals, kind: TextKind) -> list[TextBlock]:
    """All that the page holds except boilerplate and menus, each part once."""
    is_thread = kind is TextKind.FORUM
    text = _without_menus(totals, totals.page_boilerplate, is_thread)
    if kind is TextKind.UNKNOWN:
        return text
    # A page that says what it is about has things beside it. Their names are believed if they leave the text.
    strict = _without_menus(totals, totals.article_boilerplate, is_thread)
    return strict if MIN_STRICT_SHARE * size_of(text) < size_of(strict) <= size_of(text) else text


def _without_menus(totals: RegionTotals, ignored: list[bool], is_thread: bool) -> list[TextBlock]:
    container = totals.container(ignored)
    everything = totals.all_of(container, ignored)
    text = totals.text_of(container, ignored, menus=MENU_LINK_SHARE, short=MAX_MENU_ENTRY_SIZE)
    if size_of(text) < MIN_SHARE_WITHOUT_MENUS * size_of(everything):
        text = everything
    return without_repetition(text, totals.regions, has_quotations=is_thread)
