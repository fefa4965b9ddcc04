"""The encoding a page declares in its own first bytes."""

import pytest

from outrider.extract.encoding.prescan import prescan


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        pytest.param(b'<meta charset="koi8-r">', "koi8-r", id="the short form"),
        pytest.param(
            b"<!doctype html><html lang='x'><head><meta charset=UTF-8>", "utf-8", id="the usual beginning"
        ),
        pytest.param(
            b"<META\nCHARSET = 'greek' >", "iso-8859-7", id="case, white space and quotes do not matter"
        ),
        pytest.param(
            b"<meta/charset=latin2/>", None, id="an unquoted value runs to the white space, slash and all"
        ),
        pytest.param(
            b'<meta http-equiv=Content-Type content="text/html; charset=big5">', "big5", id="the long form"
        ),
        pytest.param(
            b'<meta content="text/html; charset=big5" http-equiv=content-type>',
            "big5",
            id="the long form, turned",
        ),
        pytest.param(b'<meta content="text/html; charset=big5">', None, id="content alone declares nothing"),
        pytest.param(
            b"<meta http-equiv=content-type content='charset charset = \"euc-kr\"'>",
            "euc-kr",
            id="a charset without an equals sign is skipped",
        ),
        pytest.param(
            b"<meta http-equiv=content-type content='charset=\"euc-kr'>", None, id="a quote must be closed"
        ),
        pytest.param(
            b"<meta charset=nonsense><meta charset=big5>",
            "big5",
            id="an unknown label does not end the search",
        ),
        pytest.param(
            b"<meta charset=big5 charset=koi8-r>", "big5", id="of repeated attributes the first counts"
        ),
        pytest.param(b"<!-- <meta charset=big5> --><meta charset=gbk>", "gbk", id="comments do not count"),
        pytest.param(b"<!--><meta charset=gbk>", "gbk", id="the shortest comment ends at once"),
        pytest.param(
            b"<p title='<meta charset=big5>'><meta charset=gbk>", "gbk", id="attribute values do not count"
        ),
        pytest.param(
            b"<?php <meta charset=big5> ?><meta charset=gbk>", "gbk", id="instructions end at a bracket"
        ),
        pytest.param(b"<metacharset=gbk>", None, id="a tag that only starts like meta"),
        pytest.param(b"<meta charset=gbk", None, id="a tag that never ends"),
        pytest.param(b'<meta charset="gbk', None, id="a value that never ends"),
        pytest.param(b"<meta charset=utf-16>", "utf-8", id="what reads as ASCII is not UTF-16"),
        pytest.param(b"<meta charset=x-user-defined>", "windows-1252", id="user-defined means windows-1252"),
        pytest.param(b"<meta charset=hz-gb-2312>", "replacement", id="encodings that are not safe to read"),
        pytest.param(
            b'<?xml version="1.0" encoding="windows-1251"?><html>', "windows-1251", id="XML declaration"
        ),
        pytest.param(
            "<?xml ".encode("utf-16-le"), "utf-16le", id="an XML declaration in UTF-16, little end first"
        ),
        pytest.param(
            "<?xml ".encode("utf-16-be"), "utf-16be", id="an XML declaration in UTF-16, big end first"
        ),
        pytest.param(b"", None, id="nothing"),
        pytest.param(b"charset=gbk", None, id="no tag at all"),
    ],
)
def test_the_declared_encoding_is_found(head, expected):
    assert prescan(head) == expected


def test_a_declaration_counts_when_its_last_byte_is_the_1024th():
    tag = b"<meta charset=gbk>"

    assert prescan(b" " * (1024 - len(tag)) + tag) == "gbk"


def test_a_declaration_further_down_counts_as_in_a_browser_that_starts_over():
    assert prescan(b"<!-- " + b"x" * 5000 + b" --><meta charset=gbk>") == "gbk"


def test_an_early_declaration_wins_over_a_late_one():
    assert prescan(b"<meta charset=gbk>" + b" " * 2000 + b"<meta charset=big5>") == "gbk"
