"""The pages of mercury-parser: the truth is what selectors find that were written for one site at a time.

They stand in JavaScript, as lists of strings, which are read here and not run.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchmarks.articles.archive import Files
from benchmarks.articles.pages import Article, address_of, text_in, text_of
from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

WANTED = re.compile(r"src/extractors/custom/[^/]+/index(\.test)?\.js|fixtures/.+\.html")
FEW_WORDS = 60  # a video with a line below it

# A string that is never closed goes on to the end: looking for its end again and again would take for ever.
_TOKEN = re.compile(r"""//[^\n]*|'((?:[^'\\]|\\.)*+)'?|"((?:[^"\\]|\\.)*+)"?|([\[\]])""")
_FIXTURE = re.compile(r"""fixtures/([^'"`]{1,200}\.html)""")
_ADDRESS = re.compile(r"""\burl\s*=\s*['"](https?://[^'"]+)""")
_META = re.compile(r"<meta\s[^<>]*>")


@dataclass(frozen=True, slots=True)
class Site:
    choices: Sequence[Sequence[str]]  # the first whose selectors all find something
    clean: Sequence[str]


def load(files: Files) -> Iterator[Article]:
    for path, tests in files.items():
        if not path.endswith("/index.test.js"):
            continue
        site = site_of(text_of(files[path.removesuffix("test.js") + "js"]))
        for name, url in _fixtures(text_of(tests)).items():
            if body := files.get(f"fixtures/{name}"):
                html = _restored(text_of(body))
                truth = _truth(html, site)
                if len(truth.split()) > FEW_WORDS:
                    yield Article(name, url or address_of(html), html, truth)


def site_of(source: str) -> Site:
    """The selectors of the content, from the source of an extractor."""
    content = source.partition("content: {")[2]
    choices, clean = (_strings(content.partition(field)[2]) for field in ("selectors:", "clean:"))
    return Site(choices, [selector for each in clean for selector in each])


def _strings(source: str) -> list[list[str]]:
    """The list that `source` begins with; a string in it is a list of one, beside lists of several."""
    found: list[list[str]] = []
    depth = 0
    for token in _TOKEN.finditer(source):
        if token[3] == "[":
            depth += 1
            if depth == 2:
                found.append([])
        elif token[3] == "]":
            depth -= 1
            if depth == 0:
                break
        elif token.lastindex:
            text = re.sub(r"\\(.)", r"\1", token[token.lastindex])
            if depth == 2:
                found[-1].append(text)
            else:
                found.append([text])
    return found


def _fixtures(tests: str) -> dict[str, str | None]:
    """The pages that are tested, each once, and the address that stands before it."""
    found: dict[str, str | None] = {}
    before = 0
    for fixture in _FIXTURE.finditer(tests):
        addresses = _ADDRESS.findall(tests, before, fixture.start())
        found.setdefault(fixture[1], addresses[-1] if addresses else None)
        before = fixture.start()
    return found


def _restored(html: str) -> str:
    """These pages were saved with `content` renamed to `value` and `property` to `name`."""

    def one(meta: re.Match[str]) -> str:
        tag = meta[0]
        if " content=" not in tag:
            tag = re.sub(r"\svalue=", " content=", tag, count=1)
        return re.sub(r"\sname=([\"'](?:og|article|fb|al):)", r" property=\1", tag)

    return _META.sub(one, html)


def _truth(html: str, site: Site) -> str:
    tree = LexborHTMLParser(html)
    for selectors in site.choices:
        found = [_matches(tree, selector) for selector in selectors]
        if all(found):
            return _text({node.mem_id: node for nodes in found for node in nodes}, site.clean)
    return ""


def _text(nodes: dict[int, LexborNode], clean: Sequence[str]) -> str:
    outermost = [node for node in nodes.values() if not _is_within(node, nodes)]
    for node in outermost:
        for selector in clean:
            for each in _matches(node, selector):
                if each.mem_id not in nodes:
                    each.decompose()
    return "\n".join(text_in(node) for node in outermost)


def _is_within(node: LexborNode, nodes: dict[int, LexborNode]) -> bool:
    while (parent := node.parent) is not None:
        if parent.mem_id in nodes:
            return True
        node = parent
    return False


def _matches(where: LexborHTMLParser | LexborNode, selector: str) -> list[LexborNode]:
    """None where the selector is of a kind that the parser does not know."""
    try:
        return where.css(selector)
    except SelectolaxError:
        return []
