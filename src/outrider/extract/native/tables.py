"""The tables of the compiled scan as C: the names of tags with their kinds, and all character references."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from html.entities import html5

from outrider.extract.tree import tag_names

TABLE_SIZE = 2048  # places for the names of tags, so many that few tries find a hash without a collision
_SHIFT = 64 - 11  # of a hash, to the number of a place
_SPREAD = 0x9E3779B97F4A7C15
LONGEST_TAG = 13  # letters; no tag that matters to the scan has more

# By the standard, "The stack of open elements", "special".
_SPECIAL = (
    "address applet area article aside base basefont bgsound blockquote body br button caption center col"
    " colgroup dd details dir div dl dt embed fieldset figcaption figure footer form frame frameset h1 h2 h3"
    " h4 h5 h6 head header hgroup hr html iframe img input keygen li link listing main marquee menu meta nav"
    " noembed noframes noscript object ol p param plaintext pre script search section select source style"
    " summary table tbody td template textarea tfoot th thead title tr track ul wbr xmp"
)
# "In body": tags that close a <p>, and those whose end closes up to their start.
_CLOSES_P = (
    "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer"
    " header hgroup main menu nav ol p search section summary ul"
)
_CLOSED_BY_NAME = _CLOSES_P.replace(" p ", " ") + " button listing pre select"
_FORMATTING = "a b big code em font i nobr s small strike strong tt u"
_IMPLIED_END = "dd dt li optgroup option p rb rp rt rtc"
_IN_HEAD = "base basefont bgsound link meta title noframes style script template"
_RAW = "iframe noembed noframes script style textarea title xmp"
_SCOPE = "applet caption html marquee object select table td template th"
_VOID = "area base basefont bgsound br col embed hr img input keygen link meta param source track wbr"
_TABLE_PART = "caption col colgroup tbody td tfoot th thead tr"
_BREAKOUT = (
    "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing"
    " menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var"
)
_OTHERS = "a image math svg optgroup option ruby foreignobject desc frame"

_KINDS = {
    "INLINE": tag_names.INLINE,
    "HIDDEN": tag_names.HIDDEN,
    "HIDDEN_BLOCK": tag_names.HIDDEN_BLOCKS,
    "PREFORMATTED": tag_names.PREFORMATTED,
    "SPECIAL": _SPECIAL,
    "CLOSES_P": _CLOSES_P,
    "CLOSED_BY_NAME": _CLOSED_BY_NAME,
    "FORMATTING": _FORMATTING,
    "IMPLIED_END": _IMPLIED_END,
    "IN_HEAD": _IN_HEAD,
    "RAW": _RAW,
    "SCOPE": _SCOPE,
    "VOID": _VOID,
    "TABLE_PART": _TABLE_PART,
    "BREAKOUT": _BREAKOUT,
    "HEADING": "h1 h2 h3 h4 h5 h6",
}


def tables() -> str:
    """All tables, as one header."""
    return "\n".join(("#pragma once", *_tags(), *_references(), ""))


def _tags() -> Iterator[str]:
    names = sorted({name for kind in (*_KINDS.values(), _OTHERS) for name in kind.split()})
    factor = _factor(names)
    yield f"#define LONGEST_TAG {LONGEST_TAG}"
    yield f"#define TAG_TABLE_SIZE {TABLE_SIZE}"
    yield (
        "#define TAG_HASH(first, second) "
        f"((((first) ^ (second) * UINT64_C({_SPREAD})) * UINT64_C({factor})) >> {_SHIFT})"
    )
    for bit, kind in enumerate(_KINDS):
        yield f"#define KIND_{kind} {1 << bit}u"
    yield "enum tag { TAG_UNKNOWN,"
    yield from (f"  TAG_{name.upper()}," for name in names)
    yield "  TAG_COUNT };"
    yield "static const uint64_t TAG_LETTERS[TAG_COUNT][2] = {"
    yield "  {0, 0},"
    yield from (f"  {{{first:#x}, {second:#x}}}," for first, second in map(_letters, names))
    yield "};"
    yield "static const char TAG_NAMES[TAG_COUNT][LONGEST_TAG + 1] = {"
    yield '  "",'
    yield from (f'  "{name}",' for name in names)
    yield "};"
    yield "static const uint32_t TAG_KINDS[TAG_COUNT] = {"
    yield "  0,"
    for name in names:
        kinds = [f"KIND_{kind}" for kind, those in _KINDS.items() if name in those.split()]
        yield f"  {' | '.join(kinds) or 0},"
    yield "};"
    places = {_hash(name, factor): name for name in names}
    yield "static const uint8_t TAG_TABLE_OF_NAMES[TAG_TABLE_SIZE] = {"
    yield from (f"  [{place}] = TAG_{name.upper()}," for place, name in sorted(places.items()))
    yield "};"


def _letters(name: str) -> tuple[int, int]:
    """A name as two numbers of eight letters each, the first letter lowest."""
    letters = name.encode().ljust(16, b"\0")
    return int.from_bytes(letters[:8], "little"), int.from_bytes(letters[8:], "little")


def _hash(name: str, factor: int) -> int:
    first, second = _letters(name)
    return ((first ^ second * _SPREAD) * factor % 2**64) >> _SHIFT


def _factor(names: Sequence[str]) -> int:
    """A factor by which no two names get the same place."""
    for odd in range(1, 200_000, 2):
        factor = odd * _SPREAD % 2**64
        if len({_hash(name, factor) for name in names}) == len(names):
            return factor
    raise ValueError("no hash without collisions was found")


def _references() -> Iterator[str]:
    """Names in the order of their bytes, so that a binary search finds them; none is longer than 32."""
    names = sorted(html5)
    yield f"#define REFERENCE_COUNT {len(names)}"
    yield f"#define LONGEST_REFERENCE {max(map(len, names))}"
    yield "struct reference { const char *name; const char *text; };"
    yield "static const struct reference REFERENCES[REFERENCE_COUNT] = {"
    yield from (f'  {{"{name}", "{_escaped(html5[name].encode())}"}},' for name in names)
    yield "};"


def _escaped(codes: Iterable[int]) -> str:
    return "".join(f"\\{code:03o}" for code in codes)


if __name__ == "__main__":
    sys.stdout.write(tables())
