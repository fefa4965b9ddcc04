"""Lists of sources as OPML, the format in which feed readers exchange theirs.

An outline with `xmlUrl` is a source with that feed. One with `htmlUrl` and no `xmlUrl` is a source, too, and
the feeds below it that name no page of their own are its feeds. Any other outline is a folder, and its name a
label of what is in it. What OPML has no word for travels in attributes of a namespace of ours, which other
readers ignore.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from xml.sax.saxutils import quoteattr

from outrider.errors import InvalidInput
from outrider.frontier.model import Kind
from outrider.sources.fields import FIELDS, said_about
from outrider.sources.model import Watched
from outrider.sources.rows import LONGEST_CELL, MOST_ROWS, Row, Rows
from outrider.sources.safe_xml import walk

NAMESPACE = "urn:outrider:source"
_SPOKEN = {"name", "url", "feed", "labels"}  # what OPML has words of its own for
_STRAY_AMPERSAND = re.compile(rb"&(?!(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|amp|lt|gt|quot|apos);)")
_NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")


@dataclass(slots=True)
class _Outline:
    said: dict[str, list[str]] = field(default_factory=dict)
    folder: str = ""
    place: int = 0


def read_opml(content: bytes) -> Rows:
    """Raises InvalidInput when it cannot be read as OPML."""
    try:
        return _read(content)
    except InvalidInput:
        # Addresses in attributes are full of ampersands that their writers forgot to escape.
        mended = _STRAY_AMPERSAND.sub(b"&amp;", content)
        if mended == content:
            raise
        return _read(mended)


def write_opml(sources: Iterable[tuple[Watched, Sequence[tuple[Kind, str]]]], title: str) -> str:
    """Sources with their channels as a document that `read_opml` understands."""
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<opml version="2.0" xmlns:outrider="{NAMESPACE}">',
        f"<head><title>{_quoted(title)[1:-1]}</title></head>",
        "<body>",
    ]
    for source, channels in sources:
        lines += _outlines(source, channels)
    return "\n".join([*lines, "</body>", "</opml>", ""])


class _Reader:
    def __init__(self) -> None:
        self.found: list[_Outline] = []
        self.is_opml = False
        self._open: list[_Outline] = []
        self._count = 0

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name.lower() == "opml":
            self.is_opml = True
        if name.lower() != "outline":
            return
        self._count += 1
        if self._count > MOST_ROWS:
            raise InvalidInput(f"there are more than {MOST_ROWS:,} outlines: split the file")
        given = {key.lower(): value[:LONGEST_CELL] for key, value in attributes.items() if value.strip()}
        self._open.append(self._outline(given))

    def end(self, name: str) -> None:
        if name.lower() == "outline":
            self._open.pop()

    def text(self, _: str) -> None:
        """Outlines say everything in attributes."""

    def _outline(self, given: Mapping[str, str]) -> _Outline:
        name = given.get("title") or given.get("text", "")
        feed, page = given.get("xmlurl"), given.get("htmlurl") or given.get("url")
        if not feed and not page:
            return _Outline(folder=name.strip())
        above = next((each for each in reversed(self._open) if each.said), None)
        if feed and not page and above is not None:
            above.said.setdefault("feed", []).append(feed)
            return _Outline()
        said = {key: [value] for key, value in given.items() if key in FIELDS and key not in _SPOKEN}
        for key, value in (("name", name), ("url", page), ("feed", feed)):
            if value:
                said[key] = [value]
        if labels := self._labels(given.get("category", "")):
            said["labels"] = [", ".join(labels)]
        outline = _Outline(said, place=self._count)
        self.found.append(outline)
        return outline

    def _labels(self, category: str) -> list[str]:
        """Folders, and categories: `/Politics/Europe,local` has three."""
        folders = [each.folder for each in self._open if each.folder]
        named = [part.strip() for part in re.split(r"[,/]", category) if part.strip()]
        return list(dict.fromkeys(label.replace(",", " ") for label in (*folders, *named)))


def _read(content: bytes) -> Rows:
    reader = _Reader()
    walk([content], reader.start, reader.end, reader.text, "the OPML file")
    if not reader.is_opml:
        raise InvalidInput("this is XML, but not OPML: its first element should be <opml>")
    return Rows([Row(f"outline {each.place}", each.said) for each in reader.found])


def _outlines(source: Watched, channels: Sequence[tuple[Kind, str]]) -> list[str]:
    feeds = [url for kind, url in channels if kind is Kind.FEED]
    sitemaps = [url for kind, url in channels if kind is Kind.SITEMAP]
    said = {key: text for key, text in said_about(source).items() if key not in _SPOKEN}
    if sitemaps:
        said["sitemap"] = " ".join(sitemaps)
    attributes = {"text": source.name, "title": source.name, "htmlUrl": source.url}
    if source.labels:
        attributes["category"] = ",".join(f"/{label}" for label in source.labels)
    if len(feeds) == 1:
        attributes |= {"type": "rss", "xmlUrl": feeds[0]}
    attributes |= {f"outrider:{key}": text for key, text in said.items()}
    if len(feeds) < 2:
        return [f"<outline {_written(attributes)}/>"]
    inner = [f"  <outline {_written({'type': 'rss', 'text': url, 'xmlUrl': url})}/>" for url in feeds]
    return [f"<outline {_written(attributes)}>", *inner, "</outline>"]


def _written(attributes: Mapping[str, str]) -> str:
    return " ".join(f"{name}={_quoted(text)}" for name, text in attributes.items())


def _quoted(text: str) -> str:
    return quoteattr(_NO_XML.sub("", text), {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})
