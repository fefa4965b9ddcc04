"""Remove text that a page holds twice: for narrow and for wide screens, or as a quotation."""

from collections.abc import Sequence

from outrider.extract.text.blocks import Region, TextBlock, size_of, tags

MIN_COPY = 100  # bytes of a run that was made for another screen
MIN_QUOTATION = 40  # bytes of a run in a thread, where answers quote

_LISTS = tags("ul ol dl table")
_ITEMS = tags("li dt dd td th")


def without_repetition(
    blocks: Sequence[TextBlock], regions: Sequence[Region], *, has_quotations: bool
) -> list[TextBlock]:
    """The blocks without long runs that stood above in the same order.

    A run that cuts a list or a tab panel is kept. Two lists may share some of their items, and the panels of
    a tab view repeat what is true for each of them. A copy for another screen repeats the whole list and the
    whole panel. A quotation may begin and end anywhere.
    """
    min_size = MIN_QUOTATION if has_quotations else MIN_COPY
    first: dict[str, int] = {}  # the first block with each text
    kept: list[TextBlock] = []
    parts: _Parts | None = None
    start = 0
    while start < len(blocks):
        end = start
        original = first.get(blocks[start].text)
        if original is not None:
            end = _end_of_run(blocks, original, start)
        is_repetition = size_of(blocks[start:end]) >= min_size
        if is_repetition and original is not None and not has_quotations:
            parts = parts or _Parts(blocks, regions)
            is_repetition = not parts.are_cut(original, start, end)
        if not is_repetition:
            end = max(end, start + 1)
            kept += blocks[start:end]
        for number in range(start, end):
            first.setdefault(blocks[number].text, number)
        start = end
    return kept


def _end_of_run(blocks: Sequence[TextBlock], original: int, start: int) -> int:
    """The end of the blocks from `start` on that repeat the blocks from `original` on."""
    end = start
    while end < len(blocks) and original < start and blocks[end].text == blocks[original].text:
        end, original = end + 1, original + 1
    return end


class _Parts:
    """The list and the tab panel of each block."""

    def __init__(self, blocks: Sequence[TextBlock], regions: Sequence[Region]) -> None:
        self._blocks = blocks
        self._lists = [-1] * len(regions)  # the innermost list around each region
        self._panels = [-1] * len(regions)
        self._last = list(range(len(regions)))  # the last region inside each region
        for number, region in enumerate(regions):
            if region.parent >= 0:
                self._lists[number] = self._lists[region.parent]
                self._panels[number] = self._panels[region.parent]
            if region.tag in _LISTS:
                self._lists[number] = number
            if region.is_tab_panel:
                self._panels[number] = number
        for number in range(len(regions) - 1, 0, -1):
            parent = regions[number].parent
            self._last[parent] = max(self._last[parent], self._last[number])

    def are_cut(self, original: int, start: int, end: int) -> bool:
        """Whether the run from `start` to `end` is not all of its list or of its tab panel.

        In the panel of its original, a run is a repetition like any other.
        """
        first, last = self._blocks[start], self._blocks[end - 1]
        panel = self._panels[first.region]
        if self._panels[self._blocks[original].region] not in (-1, panel) and self._holds(panel, end - 1):
            return self._holds(panel, start - 1) or self._holds(panel, end)
        return (first.tag in _ITEMS and self._holds(self._lists[first.region], start - 1)) or (
            last.tag in _ITEMS and self._holds(self._lists[last.region], end)
        )

    def _holds(self, part: int, block: int) -> bool:
        """Whether a region, if there is one, holds a block, if there is one."""
        if part < 0 or not 0 <= block < len(self._blocks):
            return False
        return part <= self._blocks[block].region <= self._last[part]
