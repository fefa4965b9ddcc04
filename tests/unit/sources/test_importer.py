"""Files of sources: whatever program wrote them, each row is understood or explained."""

import codecs

import pytest
from tests.support.spreadsheet import xlsx

from outrider.errors import InvalidInput
from outrider.sources.importer import read_import
from outrider.sources.model import Mode
from outrider.sources.policy import PolicyChanges

TABLE = [
    ["Site name", "Website", "RSS URL", "Rate limit", "Tags", "feed_poll_interval_minutes"],
    ["Das Blatt", "https://blatt.de", "https://blatt.de/feed", "10s", "news, berlin", "30"],
    ["", "kurier.at", "", "", "", ""],
]


def csv_of(table, delimiter=",") -> bytes:
    return "\r\n".join(delimiter.join(f'"{cell}"' for cell in row) for row in table).encode()


def wishes_in(content: bytes):
    found = read_import(content)
    assert [candidate.problems for candidate in found.candidates if candidate.problems] == []
    return [candidate.changes for candidate in found.candidates]


FILES = {
    "comma": csv_of(TABLE),
    "semicolon": csv_of(TABLE, ";"),
    "tab": csv_of(TABLE, "\t"),
    "byte order mark": codecs.BOM_UTF8 + csv_of(TABLE),
    "UTF-16": csv_of(TABLE).decode().encode("utf-16"),
    "empty lines": b"\r\n\r\n" + csv_of(TABLE) + b"\r\n\r\n",
    "spreadsheet": xlsx(TABLE),
    "spreadsheet with inline texts": xlsx(TABLE, inline=True),
}


@pytest.mark.parametrize("content", FILES.values(), ids=FILES)
def test_a_table_is_read_by_the_names_of_its_columns(content):
    blatt, kurier = wishes_in(content)

    assert (blatt.name, blatt.url, list(blatt.feeds)) == (
        "Das Blatt",
        "https://blatt.de/",
        ["https://blatt.de/feed"],
    )
    assert blatt.policy == PolicyChanges({"delay_s": 10.0, "poll_s": 1800.0})
    assert blatt.labels == ["news", "berlin"]
    assert (kurier.name, kurier.url, kurier.feeds) == (None, "https://kurier.at/", ())


def test_letters_of_windows_are_read():
    [source] = wishes_in("name;url\r\nMünchner Merkur;https://merkur.de\r\n".encode("cp1252"))

    assert source.name == "Münchner Merkur"


@pytest.mark.parametrize(
    ("header", "cell", "wish"),
    [
        ("source_name", "A", {"name": "A"}),
        ("Ingestion Mode", "both", {"mode": Mode.BOTH}),
        ("Sitemap URL", "https://a.de/sitemap.xml", {"sitemaps": ["https://a.de/sitemap.xml"]}),
        ("Feeds", "https://a.de/1 https://a.de/2", {"feeds": ["https://a.de/1", "https://a.de/2"]}),
        ("active", "FALSE", {"enabled": False}),
        ("max_depth", "2", {"policy": PolicyChanges({"max_depth": 2})}),
        ("Article URL patterns", "/a/", {"policy": PolicyChanges({"article_patterns": ["/a/"]})}),
        ("poll interval (minutes)", "15", {"policy": PolicyChanges({"poll_s": 900.0})}),
        ("poll_interval", "15", None),
        ("re-crawl interval", "7d", {"policy": PolicyChanges({"recrawl_s": 604_800.0})}),
        ("category", "Sport", {"labels": ["Sport"]}),
    ],
)
def test_columns_go_by_many_names(header, cell, wish):
    [candidate] = read_import(f"url,{header}\nhttps://a.de,{cell}\n".encode()).candidates

    if wish is None:
        assert candidate.problems == ("poll: '15' is out of bounds: write 1m to 1w",)
    else:
        assert {name: getattr(candidate.changes, name) for name in wish} == wish


def test_an_unknown_column_is_reported_once_and_ignored():
    found = read_import(b"url,Owner\nhttps://a.de,Ann\nhttps://b.de,Bob\n")

    assert len(found.candidates) == 2
    [note] = found.notes
    assert note.startswith("not read, because the meaning is not known: column 'Owner'; known are name, url")


def test_a_bad_row_says_what_is_wrong_and_the_others_are_read():
    found = read_import(
        b"name,url,mode,delay\nA,https://a.de,feed,1s\nB,nowhere,often,\nC,,feed,\nA,https://c.de,,\n,https://a.de,,slow\n"
    )

    assert [candidate.place for candidate in found.candidates] == [f"row {n}" for n in range(2, 7)]
    fine, bad, nowhere, again, unnamed = found.candidates
    assert fine.problems == ()
    assert len(bad.problems) == 2
    assert nowhere.problems == ("url: there is none: write the site's address, such as https://example.com",)
    assert again.problems == ("name: the same as in row 2: write another, or delete one of the two",)
    assert unnamed.problems == ()
    assert unnamed.notes == ("delay: 'slow' is not a duration: write 30s, 15m, 6h or 7d; taking 1s",)


def test_rows_are_named_by_their_line_in_the_file():
    found = read_import(b'name,url\n"two\nlines",https://a.de\nB,nowhere\n')

    assert [candidate.place for candidate in found.candidates] == ["row 2", "row 4"]


def test_a_row_with_a_feed_and_no_address_belongs_to_the_site_of_the_feed():
    [source] = wishes_in(b"name,feed\nA,https://a.de/news/feed.xml\n")

    assert source.url == "https://a.de/"


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "the first row must name the columns"),
        (b"https://a.de\nhttps://b.de\n", "it says https://a.de"),
        (b"\x00\x01\x02", "this is no text file"),
        (b"\xd0\xcf\x11\xe0" + bytes(100), "this is an old Excel file: save it as XLSX or CSV"),
        (b"PK\x03\x04 and nothing else", "this cannot be read as an XLSX file"),
        (b"<html><body>hello</body></html>", "this is XML, but not OPML"),
        (b"<opml><body><outline", "is not well-formed XML"),
        (b'{"name": "A"}', "no list of sources: write"),
        (b"[1, 2]", "no list of sources: write"),
        (b"[" * 100_000, "this cannot be read as JSON"),
        (b'[{"url": "a.de"}', "this cannot be read as JSON"),
        (b"[" + b",".join([b"{}"] * 20_001) + b"]", "more than 20,000 sources"),
        (b"name,url\n" + b"x" * 200_000 + b",https://a.de\n", "this cannot be read as CSV"),
        (b"url\n" + b"a.de\n" * 20_001, "more than 20,000 rows"),
        (b"x" * ((16 << 20) + 1), "larger than 16 MB"),
    ],
)
def test_what_is_no_list_of_sources_is_refused_with_a_reason(content, why):
    with pytest.raises(InvalidInput, match=why):
        read_import(content)


def test_json_is_read_by_the_names_of_its_fields_in_whatever_form_its_values_are():
    found = read_import(
        b"""\xef\xbb\xbf [{"Website": "https://a.de", "tags": ["news", "berlin"], "active": false,
        "max_depth": 2, "feed_poll_interval_minutes": 30, "selectors": {"article": {"title": "h1"}},
        "name": null, "owner": "Ann"}, {"url": "nowhere"}]"""
    )

    good, bad = found.candidates
    assert (good.changes.url, good.changes.labels, good.changes.enabled) == (
        "https://a.de/",
        ["news", "berlin"],
        False,
    )
    assert good.changes.policy == PolicyChanges({"max_depth": 2, "poll_s": 1800.0})
    assert good.changes.selectors == {"article": {"title": "h1"}}
    assert (bad.place, len(bad.problems)) == ("source 2", 1)
    assert "column 'owner'" in found.notes[0]


def test_two_names_for_one_address_are_two_sources_and_that_is_said():
    found = read_import(b"name,url\nA,https://a.de\nB,https://A.de/\nC,https://c.de\n")

    assert [(each.problems, each.notes, each.twin) for each in found.candidates] == [
        ((), (), None),
        ((), ("url: the same as in row 2: two sources of one site share its feeds",), "row 2"),
        ((), (), None),
    ]
