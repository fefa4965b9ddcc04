"""The main text of a page of any kind: what its readers came for, without what surrounds it."""

from selectolax.lexbor import LexborHTMLParser

from outrider.extract.parse import parse
from outrider.extract.structured import json_ld
from outrider.extract.text_blocks import outline
from outrider.extract.text_choice import choose
from outrider.extract.text_kind import kind_of

SHORT = 400  # characters; less may be all that a page shows of an article which it states in full elsewhere


def main_text(tree: LexborHTMLParser, url: str = "") -> str:
    """The text of the page's main content, a line a block; preformatted blocks keep their own lines.

    The page's title is no part of it. A page without text has an empty one.
    """
    if tree.body is None:
        return ""
    page = outline(tree.body)
    text = "\n".join(block.text for block in choose(page, kind_of(tree, url, page.types)))
    if len(text) < SHORT and len(stated := _stated(tree)) > 2 * len(text) + SHORT:
        return stated
    return text


def _stated(tree: LexborHTMLParser) -> str:
    """The body of an article as its structured data gives it, for pages that only draw it with a script."""
    scripts = (node.text() for node in tree.css('script[type*="ld+json" i]'))
    bodies = (thing.get("articleBody") for thing in json_ld(scripts))
    longest = max((body for body in bodies if isinstance(body, str)), key=len, default="")
    if "</" in longest and (fragment := parse(longest.encode("utf-8", "replace")).body) is not None:
        return "\n".join(block.text for block in outline(fragment).blocks)
    return "\n".join(folded for line in longest.splitlines() if (folded := " ".join(line.split())))
