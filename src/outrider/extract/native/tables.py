"""The tables of the compiled scan as C: the names of tags with their kinds, and all character references."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from html.entities import html5
from itertools import product

from outrider.extract.tree import tag_names

TABLE_SIZE = 2048  # places for the names of tags, so many that few tries find a hash without a collision
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
    factors = _factors(names)
    yield f"#define LONGEST_TAG {LONGEST_TAG}"
    yield f"#define TAG_TABLE_SIZE {TABLE_SIZE}"
    yield (
        "#define TAG_HASH(name, length) "
        f"(((unsigned)(length) * {factors[0]}u + (unsigned)(name)[0] * {factors[1]}u"
        f" + (unsigned)(name)[(length) / 2] * {factors[2]}u + (unsigned)(name)[(length) - 1] * {factors[3]}u)"
        " % TAG_TABLE_SIZE)"
    )
    for bit, kind in enumerate(_KINDS):
        yield f"#define KIND_{kind} {1 << bit}u"
    yield "enum tag { TAG_UNKNOWN,"
    yield from (f"  TAG_{name.upper()}," for name in names)
    yield "  TAG_COUNT };"
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
    places = {_hash(name, factors): name for name in names}
    yield "static const uint8_t TAG_TABLE_OF_NAMES[TAG_TABLE_SIZE] = {"
    yield from (f"  [{place}] = TAG_{name.upper()}," for place, name in sorted(places.items()))
    yield "};"


def _hash(name: str, factors: Sequence[int]) -> int:
    codes = len(name), ord(name[0]), ord(name[len(name) // 2]), ord(name[-1])
    return sum(code * factor for code, factor in zip(codes, factors, strict=True)) % TABLE_SIZE


def _factors(names: Sequence[str]) -> Sequence[int]:
    """Factors by which no two names get the same place."""
    for factors in product(range(1, 1000, 37), range(3, 1000, 41), range(5, 1000, 43), range(7, 1000, 47)):
        if len({_hash(name, factors) for name in names}) == len(names):
            return factors
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
