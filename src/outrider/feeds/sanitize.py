"""Makes untrusted markup safe to show: keeps the elements and attributes of a list, and removes all others.

The markup is parsed as in a browser and serialised from the tree, never patched as text. Elements whose
content browsers parse by other rules (raw text, SVG, MathML) are not kept, so that parsing the result again
gives the same tree.
"""

import re
from html import escape

from selectolax.lexbor import LexborHTMLParser, LexborNode

from outrider.extract.tree.bounds import bounded
from outrider.feeds.addresses import web_address
from outrider.feeds.limits import MAX_MARKUP
from outrider.feeds.strings import clean, words
from outrider.feeds.style import safe_style

_VOID = frozenset(("br", "hr", "img", "wbr", "source", "track", "col", "area"))
KEPT = _VOID | words(
    "a abbr acronym address article aside audio b bdi bdo big blockquote caption center cite code colgroup "
    "data dd del details dfn dir div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hgroup "
    "i ins kbd li main map mark menu nav ol p picture pre q rp rt ruby s samp section small span strike "
    "strong sub summary sup table tbody td tfoot th thead time tr tt u ul var video"
)
# These elements are removed with their content. Of all other elements that are not kept, the text stays.
_DROPPED = words("script style applet template annotation annotation-xml metadata")
_FOREIGN = words("svg math")
_DRAWN_TEXTS = words("text title desc")  # each is at another place in the drawing
# Browsers hide the content of these up to the closing tag, which XHTML may omit.
_FRAME_TAG = re.compile(
    r"""</?(?:iframe|noembed|noframes)(?:[\s/](?:[^<>"']++|"[^"]*+"|'[^']*+')*+)?+>""", re.IGNORECASE
)
_NO_COMMENT = re.compile(r"<!(?![-\[a-zA-Z])")
_ADDRESSES = frozenset(("href", "src", "cite", "poster"))
_ATTRIBUTES = _ADDRESSES | words(
    "abbr align alt border cellpadding cellspacing char charoff clear color cols colspan compact controls "
    "coords datetime dir face headers height hreflang hspace kind label lang loop media muted nohref noshade "
    "nowrap open preload rel reversed rev rowspan rows rules scope shape size span srclang start summary "
    "title type valign value vspace width"
)
_OPEN_COMMENT = re.compile(r"<!--[^>]*+>?")


def sanitized(markup: str, base: str) -> str:
    """`markup` with only harmless elements and attributes. Addresses are resolved against `base`."""
    markup = clean(markup[:MAX_MARKUP])
    if "<" not in markup and "&" not in markup:
        return escape(markup, quote=False).strip()
    markup = _with_loose_ends_as_text(_NO_COMMENT.sub("&lt;!", _FRAME_TAG.sub("", markup)))
    tree = LexborHTMLParser(bounded(b"<!doctype html><body>" + markup.encode("utf-8", "replace")))
    written: list[str] = []
    if tree.body is not None:
        _write(tree.body, base, written)
    return "".join(written).strip()


def _with_loose_ends_as_text(markup: str) -> str:
    """Repair an unclosed comment or tag, after which a browser would drop the rest of the text."""
    closed = max(0, markup.rfind("-->"))
    if "<!--" in markup[closed:]:
        markup = markup[:closed] + _OPEN_COMMENT.sub("", markup[closed:])
    opened = markup.rfind("<")
    is_closed = opened < 0 or markup.find(">", opened) >= 0
    return markup if is_closed else f"{markup[:opened]}&lt;{markup[opened + 1 :]}"


def _write(body: LexborNode, base: str, written: list[str]) -> None:
    """Append the safe form of everything in `body`. A loop, because untrusted nesting may be deep."""
    pending: list[LexborNode | str] = _children(body)
    is_linked = False
    while pending:
        node = pending.pop()
        if isinstance(node, str):
            written.append(node)
            is_linked = is_linked and node != "</a>"
            continue
        tag = node.tag
        if is_linked and tag == "a":
            # A link within a link exists only in a tree. Parsed again, it would close the outer one.
            pending.extend(_children(node))
            continue
        is_linked = is_linked or tag == "a"
        if tag == "-text":
            written.append(escape(node.text_content or "", quote=False))
        elif tag in _VOID:
            written.append(f"<{tag}{_attributes(node, base)} />")
        elif tag in KEPT:
            written.append(f"<{tag}{_attributes(node, base)}>")
            pending.append(f"</{tag}>")
            pending.extend(_children(node))
        elif tag in _FOREIGN:
            written.append(escape(_text_of(node), quote=False))
        elif tag is not None and tag not in _DROPPED and not tag.startswith(("-", "!")):
            pending.extend(_children(node))


def _text_of(foreign: LexborNode) -> str:
    """The words in a drawing or a formula. Its elements may have HTML names with other parsing rules."""
    texts = []
    pending = _children(foreign)
    while pending:
        node = pending.pop()
        if isinstance(node, str):
            continue
        if node.tag == "-text":
            texts.append(node.text_content or "")
        elif node.tag not in _DROPPED:
            texts.append(" " if node.tag in _DRAWN_TEXTS else "")
            pending.extend(_children(node))
    return "".join(texts)


def _children(node: LexborNode) -> list[LexborNode | str]:
    """The children in reverse order, because the loop takes them from the end."""
    children: list[LexborNode | str] = list(node.iter(include_text=True))
    children.reverse()
    return children


def _attributes(node: LexborNode, base: str) -> str:
    kept = []
    for name, value in node.attributes.items():
        if name == "style":
            value = safe_style(value or "")
            if not value:
                continue
        elif name not in _ATTRIBUTES:
            continue
        elif name in _ADDRESSES:
            value = _address(value or "", base)
            if not value and name != "href":
                continue
        kept.append(f' {name}="{escape(value or "")}"')
    return "".join(kept)


def _address(written: str, base: str) -> str | None:
    written = written.strip()
    return written if written.lower().startswith("mailto:") else web_address(written, base)
