"""Sources as files: OPML for feed readers, CSV for spreadsheets, JSON for programs."""

import csv
import json
from collections.abc import Iterable, Sequence
from enum import StrEnum
from io import StringIO

from outrider.documents.formats import harmless
from outrider.frontier.model import EntryKind
from outrider.sources.fields import FIELDS, field_values
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
            return json.dumps([_values(*each) for each in sources], ensure_ascii=False, indent=2) + "\n"


def _csv(sources: Iterable[Announced]) -> str:
    text = StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(FIELDS)
    for each in sources:
        values = _values(*each)
        writer.writerow(harmless(values.get(name, "")) for name in FIELDS)
    return text.getvalue()


def _values(source: Source, channels: Sequence[tuple[EntryKind, str]]) -> dict[str, str]:
    values = field_values(source)
    for name, kind in (("feed", EntryKind.FEED), ("sitemap", EntryKind.SITEMAP)):
        if urls := [url for each, url in channels if each is kind]:
            values[name] = FIELDS[name].write(urls)
    return values
