"""What kind of page a page says it is: in its address, its metadata and its structured data."""

import re
from collections.abc import Iterable
from enum import Enum, auto

from selectolax.lexbor import LexborHTMLParser

MAX_SCRIPTS = 20
MAX_SCRIPT = 200_000  # characters


class TextKind(Enum):
    """The kinds whose main text is looked for in different ways."""

    UNKNOWN = auto()
    ARTICLE = auto()
    PRODUCT = auto()
    FORUM = auto()
    RECIPE = auto()


_TYPE = re.compile(r'"@type"\s*:\s*\[?\s*"(?:https?://schema\.org/)?(\w+)"')
_FORUM_ADDRESS = re.compile(
    r"[/.](?:forums?|threads?|topics?|questions|community|discussions?|viewtopic|showthread|issues)(?:[/.?-]|$)"
    r"|^https?://(?:forums?|community|discuss|discourse|answers)\.",
    re.IGNORECASE,
)
_THREAD_ADDRESS = re.compile(
    r"/(?:threads?|viewtopic|showthread)(?:[/.?-]|$)|^https?://(?:forums?|discourse|boards)\.",
    re.IGNORECASE,
)
# Asked in this order: a product may carry reviews that are articles, a recipe stands in one, a thread in any.
_KINDS = (
    (TextKind.FORUM, {"discussionforumposting", "qapage", "question"}),
    (TextKind.PRODUCT, {"product", "productgroup", "softwareapplication", "og:product", "product.item"}),
    (TextKind.RECIPE, {"recipe"}),
    (TextKind.ARTICLE, {"article", "newsarticle", "blogposting", "reportagenewsarticle", "techarticle"}),
)


def kind_of(tree: LexborHTMLParser, url: str, itemtypes: Iterable[str]) -> TextKind:
    """The kind a page says it is; unknown for the many that say nothing of use."""
    declared = {name.lower() for name in itemtypes}
    for script in tree.css('script[type*="ld+json" i]')[:MAX_SCRIPTS]:
        declared.update(name.lower() for name in _TYPE.findall(script.text()[:MAX_SCRIPT]))
    if (meta := tree.css_first('meta[property="og:type"]')) is not None:
        declared.add((meta.attributes.get("content") or "").strip().lower())
    if "faqpage" in declared:  # its questions are the site's own
        declared.discard("question")
    for kind, names in _KINDS:
        if declared & names:
            # Some boards call each thread an article.
            return TextKind.FORUM if kind is TextKind.ARTICLE and _THREAD_ADDRESS.search(url[:2000]) else kind
    return TextKind.FORUM if _FORUM_ADDRESS.search(url[:2000]) else TextKind.UNKNOWN
