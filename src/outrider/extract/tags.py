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
SVG = _number("svg")
TITLE = _number("title")
ANCHORS = frozenset(map(_number, ("a", "area")))
HIDDEN = frozenset(
    map(
        _number,
        "script style noscript noframes textarea select iframe svg nav header footer".split(),
    )
)
INTERESTING = ANCHORS | HIDDEN | {BASE, HTML, LINK, META, TITLE}
