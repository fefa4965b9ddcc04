"""The main text of a page of any kind: what its readers came for, without what surrounds it."""

import re

from selectolax.lexbor import LexborHTMLParser

from outrider.extract.text_blocks import outline
from outrider.extract.text_choice import choose

_FORUM = re.compile(
    r"[/.](?:forums?|threads?|topics?|questions|community|discussions?|viewtopic|showthread)(?:[/.?-]|$)",
    re.I,
)


def main_text(tree: LexborHTMLParser, url: str = "") -> str:
    """The text of the page's main content, a line a block."""
    body = tree.body
    if body is None:
        return ""
    return "\n".join(block.text for block in choose(outline(body), forum=bool(_FORUM.search(url))))
