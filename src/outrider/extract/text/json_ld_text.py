"""The text of a page as its structured data gives it, for pages that only draw it with a script."""

from collections.abc import Iterator
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from outrider.extract.metadata.structured import Thing, json_ld
from outrider.extract.text.blocks import outline
from outrider.extract.tree.parse import parse


def json_ld_text(tree: LexborHTMLParser) -> str:
    """The body of an article or the parts of a recipe, whichever is longest; a line a block."""
    scripts = (node.text() for node in tree.css('script[type*="ld+json" i]'))
    longest = max(("\n".join(_parts(thing)) for thing in json_ld(scripts)), key=len, default="")
    if "</" in longest and (fragment := parse(longest.encode("utf-8", "replace")).body) is not None:
        return "\n".join(block.text for block in outline(fragment).blocks)
    return "\n".join(folded for line in longest.splitlines() if (folded := " ".join(line.split())))


def _parts(thing: Thing) -> Iterator[str]:
    for part in ("articleBody", "recipeIngredient", "recipeInstructions"):
        yield from _texts(thing.get(part))


def _texts(value: Any) -> Iterator[str]:
    """The strings in what may be one, a list, a step with a text, or a section with steps."""
    match value:
        case str():
            yield value
        case list():
            for item in value:
                yield from _texts(item)
        case {"text": str(text)}:
            yield text
        case {"itemListElement": steps}:
            yield from _texts(steps)
