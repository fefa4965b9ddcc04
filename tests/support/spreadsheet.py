"""XLSX files as spreadsheet programs write them, made by hand."""

from collections.abc import Sequence
from io import BytesIO
from xml.sax.saxutils import escape
from zipfile import ZIP_DEFLATED, ZipFile

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def xlsx(table: Sequence[Sequence[str]], *, inline: bool = False, **members: str) -> bytes:
    """A workbook with one sheet; `members` replace or add files by the last part of their names."""
    strings = sorted({cell for row in table for cell in row if cell})
    rows = ""
    for number, row in enumerate(table, start=1):
        cells = (_cell(number, column, cell, strings, inline) for column, cell in enumerate(row))
        rows += f'<row r="{number}">{"".join(cells)}</row>'
    texts = "".join(f'<si><t xml:space="preserve">{escape(text)}</t></si>' for text in strings)
    files = {
        "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_RELATIONS}"><sheets>'
        '<sheet name="Sources" sheetId="1" r:id="rId7"/><sheet name="Other" sheetId="2" r:id="rId8"/>'
        "</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": "<Relationships>"
        '<Relationship Id="rId8" Target="worksheets/sheet1.xml"/>'
        '<Relationship Id="rId7" Target="worksheets/sheet2.xml"/></Relationships>',
        "xl/sharedStrings.xml": f'<sst xmlns="{_MAIN}">{texts}</sst>',
        "xl/worksheets/sheet2.xml": f'<worksheet xmlns="{_MAIN}"><sheetData>{rows}</sheetData></worksheet>',
    }
    for path in files:
        name = path.rpartition("/")[2].partition(".")[0]
        files[path] = members.get(name, files[path])
    return zipped(files)


def zipped(files: dict[str, str]) -> bytes:
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        for path, content in files.items():
            archive.writestr(path, content)
    return packed.getvalue()


def _cell(number: int, column: int, cell: str, strings: Sequence[str], inline: bool) -> str:
    if not cell:
        return ""  # spreadsheets leave empty cells out
    reference = f'r="{chr(ord("A") + column)}{number}"'
    if cell.isdigit():
        return f"<c {reference}><v>{cell}</v></c>"
    if inline:
        return f'<c {reference} t="inlineStr"><is><t>{escape(cell)}</t></is></c>'
    return f'<c {reference} t="s"><v>{strings.index(cell)}</v></c>'
