"""The links and the fragments of a Markdown text, with line numbers.

Code blocks and code spans have no links. Everything else that Markdown and its usual extensions call a link
has one: inline links, images, references, autolinks, bare addresses and HTML.
"""

import re

from outrider.links.files.html_links import html_links
from outrider.links.files.model import FoundLink
from outrider.links.files.slugs import heading_fragments

_FENCE = re.compile(r" {0,3}(?:[-*+>]\s+|\d{1,9}[.)]\s+)*(`{3,}|~{3,})")
_CODE_SPAN = re.compile(r"(?<!`)(`{1,3})(?!`)(.{1,500}?)(?<!`)\1(?!`)")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_ATX = re.compile(r" {0,3}#{1,6}[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$")
_SETEXT = re.compile(r" {0,3}(?:=+|-{2,})[ \t]*$")
_INLINE = re.compile(
    r"\]\(\s*(?:<([^<>\n]*)>|((?:[^()\s\\]|\\.|\((?:[^()\s\\]|\\.)*\))*))"
    r"(?:\s+(?:\"[^\"]*\"|'[^']*'|\([^()]*\)))?\s*\)"
)
_DEFINITION = re.compile(r" {0,3}\[(?!\^)[^\]]{1,200}\]:\s*(?:<([^<>\n]*)>|(\S+))")
_AUTOLINK = re.compile(r"<((?:https?|mailto):[^<>\s]+)>", re.IGNORECASE)
_BARE = re.compile(r"(?<![\w(<\"'=/\[])https?://[^\s<>\"'`|\\^{}\[\]]+", re.IGNORECASE)
_NO_LINK = re.compile(r"(?<!\\)\\\[[^\[\]]*\](?=\()")  # the bracket is escaped
_INDENTED = re.compile(r" {4}|\t")
_ITEM = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])\s")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_TRAILING = ".,:;!?*_~'\""


def markdown_links(text: str) -> tuple[list[FoundLink], frozenset[str]]:
    """The links of a Markdown text, and the fragments that exist in it."""
    lines = _without_code(_COMMENT.sub(_keep_lines, text)).split("\n")
    links = [FoundLink(href, number) for number, line in enumerate(lines, start=1) for href in _in(line)]
    of_html, ids, _ = html_links("\n".join(lines))
    known = set(links)
    links += [link for link in of_html if link not in known]
    return sorted(links, key=lambda link: link.line), ids | heading_fragments(_headings(text))


def _in(line: str) -> list[str]:
    """The links of one line, without those of HTML tags."""
    line = _NO_LINK.sub(" ", line)
    found = [_plain(angle if angle is not None else bare) for angle, bare in _groups(_INLINE, line)]
    if definition := _DEFINITION.match(line):
        found.append(_plain(definition[1] if definition[1] is not None else definition[2]))
    rest = _DEFINITION.sub(" ", _INLINE.sub("] ", line))
    found += _AUTOLINK.findall(rest)
    found += [_trimmed(each) for each in _BARE.findall(_AUTOLINK.sub(" ", rest))]
    return [href for href in found if href]


def _groups(pattern: re.Pattern[str], line: str) -> list[tuple[str | None, str]]:
    return [(each[1], each[2]) for each in pattern.finditer(line)]


def _plain(href: str) -> str:
    return _ESCAPE.sub(r"\1", href).strip()


def _trimmed(url: str) -> str:
    """A bare address without the punctuation of its sentence; a bracket that it opened stays."""
    while url:
        if url[-1] in _TRAILING or (url[-1] == ")" and url.count(")") > url.count("(")):
            url = url[:-1]
        else:
            break
    return url


def _keep_lines(found: re.Match[str]) -> str:
    return "\n" * found[0].count("\n")


def _without_code(text: str) -> str:
    """The text without code blocks and code spans; lines keep their numbers."""
    kept: list[str] = []
    fence: str | None = None
    is_list, may_be_code = False, True  # a list has indented text; a paragraph goes on with indented lines
    for line in text.split("\n"):
        found = _FENCE.match(line)
        if fence is None and may_be_code and not is_list and _INDENTED.match(line):
            kept.append("")
            continue
        if line.strip():
            is_list = bool(_ITEM.match(line)) or (is_list and line[:1].isspace())
        may_be_code = not line.strip()
        if fence is None and found:
            fence = found[1]
            kept.append("")
        elif fence is not None:
            closing = line.strip()
            if closing and set(closing) == {fence[0]} and len(closing) >= len(fence):
                fence = None
            kept.append("")
        else:
            kept.append(_CODE_SPAN.sub(" ", line))
    return "\n".join(kept)


def _headings(text: str) -> list[str]:
    """The headings in order; code spans stay, for their words are part of the fragment."""
    found: list[str] = []
    fence: str | None = None
    before = ""
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        if fence is None and mark:
            fence = mark[1]
        elif fence is not None:
            closing = line.strip()
            if closing and set(closing) == {fence[0]} and len(closing) >= len(fence):
                fence = None
        elif atx := _ATX.match(line):
            found.append(atx[1])
        elif before.strip() and _SETEXT.match(line) and not before.lstrip().startswith(("#", "|", "-")):
            found.append(before.strip())
        before = line
    return found
