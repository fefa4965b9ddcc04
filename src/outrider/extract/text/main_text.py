"""The main text of a page of any kind: what its readers came for, without what surrounds it."""

from selectolax.lexbor import LexborHTMLParser

from outrider.extract.text.blocks import outline
from outrider.extract.text.choice import choose
from outrider.extract.text.kind import kind_of
from outrider.extract.text.stated import stated_text

SHORT = 400  # characters; less may be all that a page shows of an article which it states in full elsewhere


def main_text(tree: LexborHTMLParser, url: str = "") -> str:
    """The text of the page's main content, a line a block; preformatted blocks keep their own lines.

    The page's title is no part of it. A page without text has an empty one.
    """
    if tree.body is None:
        return ""
    page = outline(tree.body)
    text = "\n".join(block.text for block in choose(page, kind_of(tree, url, page.types), _title(tree)))
    if len(text) < SHORT and len(stated := stated_text(tree)) > 2 * len(text) + SHORT:
        return stated
    return text


def _title(tree: LexborHTMLParser) -> str:
    title = tree.css_first("title")
    return "" if title is None else " ".join(title.text().split())
