"""The parser's numbers for the tags we look at: comparing numbers is what keeps a walk over a page cheap."""

from selectolax.lexbor import LexborHTMLParser

from outrider.extract.tree import tag_names

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
HIDDEN_BLOCKS = _numbers(tag_names.HIDDEN_BLOCKS)
HIDDEN = _numbers(tag_names.HIDDEN)
PREFORMATTED = _numbers(tag_names.PREFORMATTED)
INLINE = _COMMENT | _numbers(tag_names.INLINE)
SILENT = INLINE - ANCHORS - {LINK, META}  # inline, and nothing else about them counts
INTERESTING = INLINE | HIDDEN | HIDDEN_BLOCKS | PREFORMATTED | {BASE, BODY, HTML, MATH, TITLE}
