"""Sources as files: OPML for feed readers, CSV for spreadsheets, JSON for programs."""

import csv
import json
from collections.abc import Iterable, Sequence
from enum import StrEnum
from io import StringIO

from outrider.documents.formats import harmless
from outrider.frontier.model import EntryKind
from outrider.sources.fields import FIELDS, said_about
from outrider.sources.model import Source
from outrider.sources.opml import write_opml

Announced = tuple[Source, Sequence[tuple[EntryKind, str]]]


class ExportFormat(StrEnum):
    OPML = "opml"
    CSV = "csv"
    JSON = "json"


def written(sources: Iterable[Announced], form: ExportFormat) -> str:
    """The whole file."""
    match form:
        case ExportFormat.OPML:
            return write_opml(sources, "Sources watched by Outrider")
        case ExportFormat.CSV:
            return _csv(sources)
        case ExportFormat.JSON:
            return json.dumps([_said(*each) for each in sources], ensure_ascii=False, indent=2) + "\n"


def _csv(sources: Iterable[Announced]) -> str:
    text = StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(FIELDS)
    for each in sources:
        said = _said(*each)
        writer.writerow(harmless(said.get(name, "")) for name in FIELDS)
    return text.getvalue()


def _said(source: Source, channels: Sequence[tuple[EntryKind, str]]) -> dict[str, str]:
    said = said_about(source)
    for name, kind in (("feed", EntryKind.FEED), ("sitemap", EntryKind.SITEMAP)):
        if urls := [url for each, url in channels if each is kind]:
            said[name] = FIELDS[name].write(urls)
    return said
