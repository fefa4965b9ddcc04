"""From HTML to a tree, at a cost that the size of the page bounds."""

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser

from outrider.extract.tree.bounds import bounded

_WITHOUT_EVENTS = int(LexborDocumentOptions.WO_EVENTS)


def parse(html: bytes) -> LexborHTMLParser:
    """The tree of a page in UTF-8."""
    return LexborHTMLParser(bounded(html), options=_WITHOUT_EVENTS)
