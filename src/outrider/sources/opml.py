"""Lists of sources as OPML, the format in which feed readers exchange theirs.

- An outline with `xmlUrl` is a source with that feed.
- An outline with `htmlUrl` and no `xmlUrl` is a source. Feeds below it without a page are its feeds.
- An outline of type feed with neither is a source without an address, which the import reports.
- Any other outline is a folder. Its name is a label of the sources in it; two folders give two labels.
- Fields that OPML does not have are attributes of Outrider's namespace, which other readers ignore.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html.entities import html5
from xml.sax.saxutils import quoteattr

from outrider.errors import InvalidInput
from outrider.feeds.encoding import decoded
from outrider.frontier.model import EntryKind
from outrider.sources.fields import FIELDS, field_values
from outrider.sources.model import Source
from outrider.sources.rows import LONGEST_CELL, MOST_ROWS, ImportRow, ImportRows
from outrider.sources.safe_xml import walk

NAMESPACE = "urn:outrider:source"
_FEEDS = {"rss", "atom", "feed"}  # types of outlines that are no folders, even without an address
_MOST_NOTES = 20
_MOST_MENDED = 10 * MOST_ROWS
_OPML_FIELDS = {"name", "url", "feed", "labels"}  # fields that OPML has attributes for
_STRAY_AMPERSAND = re.compile(
    r"&(?!(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|amp|lt|gt|quot|apos);)(?:([a-zA-Z]\w{1,30};))?"
)
_DECLARATION = re.compile(r"\A\s*<\?xml[^>]{0,200}>")
_NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")


@dataclass(slots=True)
class _Outline:
    values: dict[str, str] = field(default_factory=dict)
    feeds: dict[str, None] = field(default_factory=dict)
    labels: dict[str, None] = field(default_factory=dict)
    folder: str = ""
    place: int = 0

    @property
    def row(self) -> ImportRow:
        values = {key: [value] for key, value in self.values.items()}
        if self.feeds:
            values["feed"] = list(self.feeds)
        if self.labels:
            values["labels"] = [", ".join(self.labels)]
        return ImportRow(f"outline {self.place}", values)


def read_opml(content: bytes) -> ImportRows:
    """Raises InvalidInput if the content cannot be read as OPML."""
    try:
        return _read(content)
    except InvalidInput:
        mended = _mended(content)
        if mended == content:
            raise
        return _read(mended)


def write_opml(sources: Iterable[tuple[Source, Sequence[tuple[EntryKind, str]]]], title: str) -> str:
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
        self.found: dict[tuple[str | None, ...], _Outline] = {}
        self.lists: list[str] = []
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
        values = {key.lower(): value.strip()[:LONGEST_CELL] for key, value in attributes.items()}
        given = {key: value for key, value in values.items() if value}
        self._open.append(self._outline(given))

    def end(self, name: str) -> None:
        if name.lower() == "outline":
            self._open.pop()

    def text(self, _: str) -> None:
        """Ignored: outlines have only attributes."""

    def _outline(self, given: Mapping[str, str]) -> _Outline:
        name = given.get("title") or given.get("text", "")
        feed, page = given.get("xmlurl"), given.get("htmlurl") or given.get("url")
        if (address := feed or page) and _is_list(given.get("type", ""), address):
            self.lists.append(address)
            return _Outline()
        if not feed and not page and given.get("type", "").lower() not in _FEEDS:
            return _Outline(folder=name)
        above = next((each for each in reversed(self._open) if each.place), None)
        if feed and not page and above is not None:
            above.feeds[feed] = None
            return _Outline()
        outline = self.found.setdefault((name, page, feed), _Outline(place=self._count))
        ours = {key: value for key, value in given.items() if key in FIELDS and key not in _OPML_FIELDS}
        for key, value in {"name": name, "url": page, **ours}.items():
            if value:
                outline.values.setdefault(key, value)
        if feed:
            outline.feeds[feed] = None
        outline.labels |= dict.fromkeys(self._labels(given.get("category", "")))
        return outline

    def _labels(self, category: str) -> list[str]:
        """Folders, and categories: `/Politics/Europe,local` has three."""
        folders = [each.folder for each in self._open if each.folder]
        named = [part.strip() for part in re.split(r"[,/]", category) if part.strip()]
        return [label.replace(",", " ") for label in (*folders, *named)]


def _read(content: bytes) -> ImportRows:
    reader = _Reader()
    walk([content], reader.start, reader.end, reader.text, "the OPML file")
    if not reader.is_opml:
        raise InvalidInput("this is XML, but not OPML: its first element should be <opml>")
    notes = [f"lists elsewhere are not fetched: {url[:200]}" for url in reader.lists[:_MOST_NOTES]]
    return ImportRows([each.row for each in reader.found.values()], notes)


def _mended(content: bytes) -> bytes:
    """The content in UTF-8 with stray ampersands escaped, which many programs forget in addresses."""
    if content.count(b"&") > _MOST_MENDED:
        return content
    text = _DECLARATION.sub("", decoded(content, None))
    return _STRAY_AMPERSAND.sub(_escaped, _NO_XML.sub("", text)).encode()


def _escaped(found: re.Match[str]) -> str:
    name = found[1] or ""
    characters = html5.get(name)
    return "".join(f"&#{ord(each)};" for each in characters) if characters else f"&amp;{name}"


def _is_list(kind: str, address: str) -> bool:
    """Whether an outline includes another OPML file; Liferea writes `source`."""
    kind = kind.lower()
    return kind in ("include", "source") or (kind == "link" and address.lower().endswith(".opml"))


def _outlines(source: Source, channels: Sequence[tuple[EntryKind, str]]) -> list[str]:
    feeds = [url for kind, url in channels if kind is EntryKind.FEED]
    sitemaps = [url for kind, url in channels if kind is EntryKind.SITEMAP]
    values = {key: text for key, text in field_values(source).items() if key not in _OPML_FIELDS}
    if sitemaps:
        values["sitemap"] = " ".join(sitemaps)
    attributes = {"text": source.name, "title": source.name, "htmlUrl": source.url}
    if source.labels:
        attributes["category"] = ",".join(f"/{label}" for label in source.labels)
    if len(feeds) == 1:
        attributes |= {"type": "rss", "xmlUrl": feeds[0]}
    attributes |= {f"outrider:{key}": text for key, text in values.items()}
    if len(feeds) < 2:
        return [f"<outline {_written(attributes)}/>"]
    inner = [f"  <outline {_written({'type': 'rss', 'text': url, 'xmlUrl': url})}/>" for url in feeds]
    return [f"<outline {_written(attributes)}>", *inner, "</outline>"]


def _written(attributes: Mapping[str, str]) -> str:
    return " ".join(f"{name}={_quoted(text)}" for name, text in attributes.items())


def _quoted(text: str) -> str:
    return quoteattr(_NO_XML.sub("", text), {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})
