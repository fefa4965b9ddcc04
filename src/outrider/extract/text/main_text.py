"""The main text of a page of any kind, without boilerplate."""

from selectolax.lexbor import LexborHTMLParser, LexborNode

from outrider.extract.text.blocks import Outline, outline
from outrider.extract.text.choice import choose
from outrider.extract.text.kind import kind_of
from outrider.extract.text.stated import stated_text
from outrider.extract.text.whole import size_of

LITTLE = 1000  # bytes; less may be all that a page shows before its scripts run
SHORT = 400  # characters; less may be all that a page shows of an article which it states in full elsewhere


def main_text(tree: LexborHTMLParser, url: str = "") -> str:
    """The text of the page's main content, a line a block; preformatted blocks keep their own lines.

    The page's title is no part of it. A page without text has an empty one.
    """
    if tree.body is None:
        return ""
    page = _outline(tree, tree.body)
    text = "\n".join(block.text for block in choose(page, kind_of(tree, url, page.types), _title(tree)))
    if len(text) < SHORT and len(stated := stated_text(tree)) > 2 * len(text) + SHORT:
        return stated
    return text


def _outline(tree: LexborHTMLParser, body: LexborNode) -> Outline:
    """The page as scripts find it, or as it is without them where it is hardly anything before they run."""
    page = outline(body)
    size = size_of(page.blocks)
    if size < LITTLE and tree.css_first("noscript") is not None:
        without = outline(body, without_scripts=True)
        # Less is a request to turn scripts on.
        if size_of(without.blocks) > 2 * size + LITTLE:
            return without
    return page


def _title(tree: LexborHTMLParser) -> str:
    title = tree.css_first("title")
    return "" if title is None else " ".join(title.text().split())
