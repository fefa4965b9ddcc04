"""The text of a page that is no single article: a thread, a list of things, a product, a service."""

from outrider.extract.text.blocks import TextBlock
from outrider.extract.text.kind import TextKind
from outrider.extract.text.sums import Sums

MENUS = 0.8  # the share of links above which a group may be a menu: the name of a thing is often a link
SHORT = 18  # bytes that the entries of a menu have on the average; the names of things are longer
LEFT = 0.35  # the share of the text that must be left without menus; of less, the lists were the content
NEARLY_ALL = 0.8  # the share of the text that is left where the names of boilerplate tell the truth
REPEATED = 100  # bytes; a longer run of blocks that stood above already was made for another screen
QUOTED = 40  # bytes; the same in a thread, where answers quote


def whole_page(sums: Sums, kind: TextKind) -> list[TextBlock]:
    """All that the page holds except boilerplate and menus, each part once."""
    is_thread = kind is TextKind.FORUM
    text = _without_menus(sums, sums.page_frame, is_thread)
    if kind is TextKind.UNKNOWN:
        return text
    # A page that says what it is about has things beside it. Their names are believed if they leave the text.
    strict = _without_menus(sums, sums.frame, is_thread)
    return strict if NEARLY_ALL * size_of(text) < size_of(strict) <= size_of(text) else text


def size_of(blocks: list[TextBlock]) -> int:
    """The bytes of the blocks together."""
    return sum(block.size for block in blocks)


def _without_menus(sums: Sums, ignored: list[bool], is_thread: bool) -> list[TextBlock]:
    container = sums.container(ignored)
    everything = sums.all_of(container, ignored)
    text = sums.text_of(container, ignored, menus=MENUS, short=SHORT)
    if size_of(text) < LEFT * size_of(everything):
        text = everything
    return _once(text, QUOTED if is_thread else REPEATED)


def _once(blocks: list[TextBlock], least: int) -> list[TextBlock]:
    """The blocks without runs of at least so many bytes that stood above in the same order."""
    first: dict[str, int] = {}  # where each text stands for the first time
    kept: list[TextBlock] = []
    at = 0
    while at < len(blocks):
        end = at
        if (above := first.get(blocks[at].text)) is not None:
            while end < len(blocks) and above < at and blocks[end].text == blocks[above].text:
                end, above = end + 1, above + 1
        if size_of(blocks[at:end]) < least:
            end = max(end, at + 1)
            kept += blocks[at:end]
        for number in range(at, end):
            first.setdefault(blocks[number].text, number)
        at = end
    return kept
