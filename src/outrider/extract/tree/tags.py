"""The parser's numbers for the tags we look at: comparing numbers is what keeps a walk over a page cheap."""

from selectolax.lexbor import LexborHTMLParser

_DOCUMENT = LexborHTMLParser("")


def _number(name: str) -> int:
    # Asked of the parser at import, since the numbers change from release to release.
    return int(_DOCUMENT.create_node(name).tag_id)


BASE = _number("base")
HTML = _number("html")
LINK = _number("link")
META = _number("meta")
SCRIPT = _number("script")
SVG = _number("svg")
TITLE = _number("title")
ANCHORS = frozenset(map(_number, ("a", "area")))
_RAW = ("script", "style", "noscript", "noframes", "textarea", "iframe")
HIDDEN = frozenset(map(_number, (*_RAW, "select", "svg", "nav", "header", "footer")))
INTERESTING = ANCHORS | HIDDEN | {BASE, HTML, LINK, META, TITLE}
