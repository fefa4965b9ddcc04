"""From HTML to a tree, at a cost that the size of the page bounds."""

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser

_WITHOUT_EVENTS = int(LexborDocumentOptions.WO_EVENTS)


def parse(html: bytes) -> LexborHTMLParser:
    """The tree of a page in UTF-8."""
    # It imports numpy, and the compiled scan reads nearly all pages without a tree.
    from outrider.extract.tree.bounds import bounded

    return LexborHTMLParser(bounded(html), options=_WITHOUT_EVENTS)
