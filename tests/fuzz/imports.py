"""Lists of sources: CSV, OPML, JSON, and XLSX from the inside and the outside of its ZIP."""

from tests.fuzz.storable import check_storable
from tests.support.spreadsheet import zipped

from outrider.errors import InvalidInput
from outrider.sources.importer import read_import

_WORKBOOK = '<workbook xmlns:r="r"><sheets><sheet r:id="a"/></sheets></workbook>'
_RELATIONS = '<Relationships><Relationship Id="a" Target="sheet.xml"/></Relationships>'


def check(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    for content in (data, _workbook(sheet=text), _workbook(strings=text)):
        try:
            read = read_import(content)
        except InvalidInput:
            continue
        for candidate in read.candidates:
            assert candidate.problems or candidate.changes
            check_storable([candidate.place, candidate.problems, candidate.notes])


def _workbook(sheet: str = "<worksheet/>", strings: str = "<sst/>") -> bytes:
    return zipped(
        {
            "xl/workbook.xml": _WORKBOOK,
            "xl/_rels/workbook.xml.rels": _RELATIONS,
            "xl/sharedStrings.xml": strings,
            "xl/sheet.xml": sheet,
        }
    )
