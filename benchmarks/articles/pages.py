"""Pages, what is known of their texts, and how both are read from other people's files."""

import hashlib
from dataclasses import dataclass
from enum import StrEnum

from selectolax.lexbor import LexborHTMLParser, LexborNode

from outrider.extract.encoding.decode import decode

NO_TEXT = "script, style, noscript, template, iframe, svg, button, select"
BESIDE_TEXT = "h1, figcaption"  # some count headlines and captions in, others do not: here nobody has to
SOMEWHERE = "https://example.com/2/x/y"  # looks like an article's, and says nothing else


class Half(StrEnum):
    SEEN = "seen"
    UNSEEN = "unseen"


@dataclass(frozen=True, slots=True)
class Article:
    name: str
    url: str
    html: str
    truth: str


@dataclass(frozen=True, slots=True)
class Recipe:
    name: str
    url: str
    html: str
    ingredients: str
    steps: str


def half_of(name: str) -> Half:
    """By a hash, so that a page stays where it is when others come or go."""
    return Half.UNSEEN if hashlib.md5(name.encode(), usedforsecurity=False).digest()[0] % 2 else Half.SEEN


def text_of(body: bytes) -> str:
    """Many a page was saved as UTF-8 whatever it says; the others mean what they say."""
    try:
        return body.decode()
    except UnicodeDecodeError:
        return decode(body)[0]


def address_of(html: str) -> str:
    """What the page itself calls its address."""
    tree = LexborHTMLParser(html)
    for selector, attribute in (("link[rel=canonical]", "href"), ("meta[property='og:url']", "content")):
        node = tree.css_first(selector)
        address = node.attributes.get(attribute) if node else None
        if address and address.startswith("http"):
            return address
    return SOMEWHERE


def text_in(node: LexborNode | None) -> str:
    """The text below this node, which loses what is no text."""
    if node is None:
        return ""
    for each in node.css(f"{NO_TEXT}, {BESIDE_TEXT}"):
        each.decompose()
    return node.text(separator=" ")


def text_of_html(html: str) -> str:
    return text_in(LexborHTMLParser(html).body)
