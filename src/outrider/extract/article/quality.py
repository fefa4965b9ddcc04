"""Whether a page has enough text to be indexed."""

import re
from bisect import bisect

from outrider.described import DescribedName

ENOUGH_WORDS = 50
WORD_BOUNDS = (50, 100, 200, 500, 1000, 2000)
WORD_BUCKETS = (*(f"lt_{bound}" for bound in WORD_BOUNDS), f"ge_{WORD_BOUNDS[-1]}")

# Written without spaces between words, which have two of these characters on average.
_UNSPACED = re.compile("[\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")
_CHARACTERS_A_WORD = 2
_SAMPLE_CHARS = 2_000  # characters in which a text shows how it is written


class Unindexed(DescribedName):
    """Why a fetched page is not indexed. Also the names of counters."""

    URL_FILTER = "url_filter", "its address is not that of an article of the source"
    PAGE_TYPE = "page_type", "it leads to articles and is none"
    QUALITY_GATE = "quality_gate", "it has fewer than 50 words"


def count_words(text: str) -> int:
    """The approximate number of words, in scripts with and without spaces between words."""
    if not text:
        return 0
    import numpy as np  # slow to import, and the compiled scan counts the words of nearly all pages

    # White space sorts below every letter; counted in the bytes it takes a fifth of what str.count does.
    encoded = np.frombuffer(text.encode("utf-8", "surrogatepass"), np.uint8)
    spaced = int(np.count_nonzero(encoded <= 0x20)) + 1
    if text.isascii() or not _UNSPACED.search(text, 0, _SAMPLE_CHARS):
        return spaced
    return spaced + sum(1 for _ in _UNSPACED.finditer(text)) // _CHARACTERS_A_WORD


def passes(words: int) -> bool:
    """EXT-12: a page of fewer than 50 words is not indexed, whatever its title."""
    return words >= ENOUGH_WORDS


def word_bucket(words: int) -> str:
    """The histogram bucket of a page: `lt_50`, `lt_100`, … `ge_2000`."""
    return WORD_BUCKETS[bisect(WORD_BOUNDS, words)]
