"""The main text of a page of any kind, without boilerplate."""

from selectolax.lexbor import LexborHTMLParser, LexborNode

from outrider.extract.text.blocks import Outline, outline, size_of
from outrider.extract.text.choice import choose
from outrider.extract.text.json_ld_text import json_ld_text
from outrider.extract.text.kind import kind_of

MIN_PAGE_SIZE = 1000  # bytes; a page with less may show its text only after its scripts ran
MIN_TEXT_LENGTH = 400  # characters; a page with less may have its full text in JSON-LD


def main_text(tree: LexborHTMLParser, url: str = "") -> str:
    """The text of the page's main content, a line a block; preformatted blocks keep their own lines.

    The page's title is no part of it. A page without text has an empty one.
    """
    if tree.body is None:
        return ""
    page = _outline(tree, tree.body)
    text = "\n".join(block.text for block in choose(page, kind_of(tree, url, page.types), _title(tree)))
    if (
        len(text) < MIN_TEXT_LENGTH
        and len(text_of_json_ld := json_ld_text(tree)) > 2 * len(text) + MIN_TEXT_LENGTH
    ):
        return text_of_json_ld
    return text


def _outline(tree: LexborHTMLParser, body: LexborNode) -> Outline:
    """The page as scripts find it, or as it is without them where it is hardly anything before they run."""
    page = outline(body)
    size = size_of(page.blocks)
    if size < MIN_PAGE_SIZE and tree.css_first("noscript") is not None:
        without = outline(body, without_scripts=True)
        # Less is a request to turn scripts on.
        if size_of(without.blocks) > 2 * size + MIN_PAGE_SIZE:
            return without
    return page


def _title(tree: LexborHTMLParser) -> str:
    title = tree.css_first("title")
    return "" if title is None else " ".join(title.text().split())
