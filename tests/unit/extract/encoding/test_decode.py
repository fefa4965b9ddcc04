"""From bytes to text: who decides on the encoding, and what becomes of broken bytes."""

import pytest

from outrider.extract.encoding.decode import as_utf8, charset, decode

GREEK = b"<meta charset=iso-8859-7>"


@pytest.mark.parametrize(
    ("body", "content_type", "expected"),
    [
        pytest.param(
            b"\xef\xbb\xbf" + GREEK, "text/html; charset=big5", "utf-8", id="a byte order mark beats all"
        ),
        pytest.param(b"\xff\xfea\x00", "text/html; charset=big5", "utf-16le", id="also the mark of UTF-16"),
        pytest.param(b"\xfe\xff\x00a", None, "utf-16be", id="with the big end first"),
        pytest.param(GREEK, "text/html; charset=big5", "big5", id="the header beats the page"),
        pytest.param(GREEK, "text/html; charset=nonsense", "iso-8859-7", id="unless its label means nothing"),
        pytest.param(GREEK, "text/html", "iso-8859-7", id="the page beats a guess"),
        pytest.param("grün".encode(), None, "utf-8", id="valid UTF-8 is UTF-8"),
        pytest.param(b"plain", None, "windows-1252", id="ASCII is called as the standard calls it"),
        pytest.param(b"", None, "windows-1252", id="so is nothing"),
        pytest.param(b"", "text/html; charset=utf-16", "utf-16le", id="a header may say UTF-16"),
        pytest.param(b"", "text/html; charset=x-user-defined", "x-user-defined", id="and user-defined"),
        pytest.param(b"", "text/html; charset=iso-2022-kr", "replacement", id="and what is not safe to read"),
    ],
)
def test_mark_then_header_then_page_then_guess(body, content_type, expected):
    assert charset(body, content_type) == expected


@pytest.mark.parametrize(
    ("content_type", "expected"),
    [
        ("text/html;charset=gbk", "gbk"),
        ('text/html; CHARSET="gbk"', "gbk"),
        ("text/html; charset= gbk ", "gbk"),
        ('text/html; charset="g\\bk"', "gbk"),
        ('text/html; x="(;charset=big5"; charset=gbk', "gbk"),
        ("text/html; charset=; charset=gbk", "gbk"),
        ("text/html; charset=gbk; charset=big5", "gbk"),
        ('text/html; x=";charset=gbk', "windows-1252"),
        ("text/html; charset='gbk'", "windows-1252"),
        ("text/html; charset", "windows-1252"),
        ("text/html; charset=\udcff", "windows-1252"),
        ("", "windows-1252"),
    ],
)
def test_the_header_is_read_as_the_mime_standard_says(content_type, expected):
    assert charset(b"plain", content_type) == expected


@pytest.mark.parametrize(
    ("codec", "label", "text"),
    [
        ("cp1251", "windows-1251", "Съешь ещё"),
        ("cp932", "shift_jis", "①髙島屋"),
        ("cp949", "euc-kr", "똠방각하"),
        ("gb18030", "gb2312", "镕基"),
        ("big5hkscs", "big5", "香港嘅"),
        ("mac_cyrillic", "x-mac-cyrillic", "Съешь"),
    ],
)
def test_text_comes_out_as_it_was_written(codec, label, text):
    assert decode(text.encode(codec), f"text/html; charset={label}")[0] == text


def test_bytes_that_mean_nothing_become_replacement_characters():
    assert decode(b"a\xffb", "text/html; charset=utf-8")[0] == "a\ufffdb"


def test_the_byte_order_mark_is_no_part_of_the_text():
    assert decode(b"\xef\xbb\xbfx") == ("x", "utf-8")


def test_a_replaced_encoding_yields_one_sign_and_no_markup():
    assert decode(b"<script>", "text/html; charset=hz-gb-2312") == ("\ufffd", "replacement")


def test_utf_8_and_ascii_reach_the_parser_without_a_copy():
    body, plain = "grün".encode(), b"plain"

    assert as_utf8(body)[0] is body
    assert as_utf8(plain)[0] is plain
    assert as_utf8("grün".encode("latin-1"), "text/html; charset=latin1") == (body, "windows-1252")
