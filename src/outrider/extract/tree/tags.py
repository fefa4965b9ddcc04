"""The parser's numbers for the tags we look at: comparing numbers is what keeps a walk over a page cheap."""

from selectolax.lexbor import LexborHTMLParser

_DOCUMENT = LexborHTMLParser("")


def _number(name: str) -> int:
    # Asked of the parser at import, since the numbers change from release to release.
    return int(_DOCUMENT.create_node(name).tag_id)


def _numbers(names: str) -> frozenset[int]:
    return frozenset(map(_number, names.split()))


_COMMENT = frozenset(node.tag_id for node in (LexborHTMLParser("<!---->", is_fragment=True).root,) if node)
BASE = _number("base")
BODY = _number("body")
HTML = _number("html")
LINK = _number("link")
MATH = _number("math")
META = _number("meta")
SCRIPT = _number("script")
SVG = _number("svg")
TITLE = _number("title")
ANCHORS = _numbers("a area")
HIDDEN_BLOCKS = _numbers("nav header footer")
HIDDEN = _numbers("script style noscript noframes textarea iframe select svg")
PREFORMATTED = _numbers("pre listing xmp plaintext")
# What stands inside a line of text. All other elements start and end a line: also <br>, <button> and elements
# that HTML does not know.
INLINE = _COMMENT | _numbers(
    "a abbr acronym area audio b basefont bdi bdo big blink canvas cite code data del dfn em embed font i img"
    " input ins kbd label link map mark meta meter nobr object output param picture progress q rb rp rt rtc"
    " ruby s samp slot small source span strike strong sub sup template time track tt u var video wbr"
)
SILENT = INLINE - ANCHORS - {LINK, META}  # inline, and nothing else about them counts
INTERESTING = INLINE | HIDDEN | HIDDEN_BLOCKS | PREFORMATTED | {BASE, BODY, HTML, MATH, TITLE}
