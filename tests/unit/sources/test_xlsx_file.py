"""Spreadsheets, ordinary and hostile."""

import random
from contextlib import suppress

import pytest
from tests.support.spreadsheet import xlsx, zipped

from outrider.errors import InvalidInput
from outrider.sources.xlsx_file import LARGEST_MEMBER, read_xlsx


def rows_of(sheet: str, strings: str = "") -> list[dict[str, list[str]]]:
    names = (f'<c t="str"><v>{name}</v></c>' for name in ("url", "name", "active"))
    header = f'<row r="1">{"".join(names)}</row>'
    made = xlsx(
        [],
        sheet2=f"<worksheet><sheetData>{header}{sheet}</sheetData></worksheet>",
        sharedStrings=strings or "<sst/>",
    )
    return [dict(row.values) for row in read_xlsx(made).rows]


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        pytest.param('<c r="B2" t="str"><v>A</v></c>', {"name": ["A"]}, id="text"),
        pytest.param(
            '<c r="B2"><f>1+1</f><v>2</v></c>', {"name": ["2"]}, id="a formula is what it came to last"
        ),
        pytest.param('<c r="B2" t="str"><f>CMD()</f></c>', {}, id="a formula that never ran is empty"),
        pytest.param('<c r="C2" t="b"><v>1</v></c>', {"enabled": ["yes"]}, id="true"),
        pytest.param('<c r="C2" t="b"><v>0</v></c>', {"enabled": ["no"]}, id="false"),
        pytest.param('<c r="B2" t="e"><v>#REF!</v></c>', {}, id="an error is empty"),
        pytest.param('<c r="B2" t="s"><v>99</v></c>', {}, id="a text that is not there"),
        pytest.param('<c r="B2" t="s"><v>-1</v></c>', {}, id="a place that cannot be"),
        pytest.param('<c r="XFD2" t="str"><v>far out</v></c>', {}, id="a column nobody has"),
        pytest.param("<c/><c t='str'><v>A</v></c>", {"name": ["A"]}, id="cells without a reference follow"),
    ],
)
def test_a_cell_is_the_text_it_shows(cell, said):
    assert rows_of(f'<row r="2">{cell}</row>') == ([said] if said else [])


def test_texts_may_be_formatted_and_pronounced():
    strings = "<sst><si><r><t>Asahi </t></r><r><t>Shimbun</t></r><rPh><t>no part of it</t></rPh></si></sst>"

    assert rows_of('<row><c r="B2" t="s"><v>0</v></c></row>', strings) == [{"name": ["Asahi Shimbun"]}]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        pytest.param(
            xlsx([], sharedStrings='<!DOCTYPE x [<!ENTITY a "a"><!ENTITY b "&a;&a;">]><sst>&b;</sst>'),
            "declares XML entities",
            id="entities",
        ),
        pytest.param(
            xlsx([], sheet2='<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><worksheet/>'),
            "declares XML entities",
            id="a file from outside",
        ),
        pytest.param(xlsx([], sheet2="<a>" * 101), "nested more than 100 deep", id="too deep"),
        pytest.param(
            xlsx([], sharedStrings="<sst>" + " " * LARGEST_MEMBER + "</sst>"),
            "unpacks to more than 64 MB",
            id="a bomb",
        ),
        pytest.param(xlsx([], workbook="<workbook/>"), "has no sheet", id="no sheet"),
        pytest.param(zipped({"hello.txt": "hello"}), "cannot be read as an XLSX file", id="another archive"),
        pytest.param(
            xlsx([], sheet2="<w>" + "<row><c t='str'><v>x</v></c></row>" * 20_002 + "</w>"),
            "more than 20,000 rows",
            id="too many rows",
        ),
    ],
)
def test_a_hostile_spreadsheet_is_refused_with_a_reason(content, why):
    with pytest.raises(InvalidInput, match=why):
        read_xlsx(content)


def test_a_damaged_spreadsheet_is_read_or_refused():
    whole = xlsx([[str(number), "text"] for number in range(200)])
    dice = random.Random(1)
    for _ in range(2_000):
        damaged = bytearray(whole)
        for _ in range(dice.randint(1, 4)):
            damaged[dice.randrange(len(damaged))] = dice.randrange(256)
        with suppress(InvalidInput):
            read_xlsx(bytes(damaged))
