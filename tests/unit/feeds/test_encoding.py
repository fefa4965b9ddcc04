"""From bytes to text."""

import pytest

from outrider.feeds.encoding import decoded, decoded_chunks

RUSSIAN = "Москва, новости дня и погода на завтра"
FRENCH = "L’été à Besançon : où dîner près de la citadelle"
JAPANESE = "東京の天気、今日のニュースとスポーツ"


def xml(text: str, declared: str | None = None) -> str:
    declaration = f'<?xml version="1.0" encoding="{declared}"?>' if declared else '<?xml version="1.0"?>'
    return f"{declaration}<rss><channel><title>{text}</title></channel></rss>"


@pytest.mark.parametrize(
    ("text", "codec"),
    [
        (FRENCH, "utf-8"),
        (FRENCH, "windows-1252"),
        (RUSSIAN, "windows-1251"),
        (RUSSIAN, "koi8-r"),
        (RUSSIAN, "iso-8859-5"),
        (RUSSIAN, "cp866"),
        (JAPANESE, "shift_jis"),
        (JAPANESE, "euc-jp"),
        (JAPANESE, "iso-2022-jp"),
        ("한국어 뉴스", "euc-kr"),
        ("简体中文新闻", "gb2312"),
        ("繁體中文新聞", "big5"),
        ("naïve café", "cp437"),
        ("naïve café", "cp037"),
        (RUSSIAN, "utf-16-le"),
        (RUSSIAN, "utf-16-be"),
        (RUSSIAN, "utf-32-le"),
        (RUSSIAN, "utf-32-be"),
    ],
)
def test_the_declared_encoding_is_used(text, codec):
    document = xml(text, declared=codec)

    assert decoded(document.encode(codec), None) == document


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_byte_order_mark_wins_over_everything(codec):
    document = xml(RUSSIAN, declared="windows-1252")

    assert decoded(document.encode(codec), "text/xml; charset=koi8-r") == document


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_wide_encodings_are_seen_without_a_mark(codec):
    document = xml(RUSSIAN)

    assert decoded(document.encode(codec), None) == document


def test_the_header_wins_over_the_declaration():
    document = xml(RUSSIAN, declared="windows-1252")

    assert decoded(document.encode("koi8-r"), 'application/rss+xml; charset="KOI8-R"') == document


@pytest.mark.parametrize(
    ("declared", "content_type"),
    [
        pytest.param("iso-8859-1", None, id="by the declaration"),
        pytest.param("utf-8", "text/xml; charset=iso-8859-1", id="by the header"),
        pytest.param("us-ascii", None, id="as ASCII"),
        pytest.param("windows-1251", "text/html; charset=windows-1250", id="by both"),
    ],
)
def test_utf8_is_believed_whatever_single_byte_encoding_is_claimed(declared, content_type):
    document = xml(RUSSIAN, declared=declared)

    assert decoded(document.encode(), content_type) == document


def test_windows_own_names_for_its_encodings_are_known():
    document = xml(RUSSIAN, declared="MS-CYRL")

    assert decoded(document.encode("windows-1251"), None) == document


def test_a_declaration_the_bytes_contradict_is_not_believed():
    document = xml(FRENCH, declared="utf-8")

    assert decoded(document.encode("windows-1252"), "text/xml; charset=utf-8") == document


def test_undeclared_bytes_are_guessed():
    document = xml(RUSSIAN * 5)

    assert decoded(document.encode("windows-1251"), None) == document


@pytest.mark.parametrize(
    "label", ["unknown-8bit", "idna", "hex", "unicode_escape", "rot13", "undefined", "é"]
)
def test_what_is_no_encoding_of_text_is_ignored(label):
    document = xml("plain", declared=label)

    assert decoded(document.encode(), f"text/xml; charset={label}") == document


def test_a_few_zeros_do_not_make_it_a_wide_encoding():
    assert decoded(b"<rss>\x00 \x00 \x80</rss>", None).startswith("<rss>")


def test_pieces_may_cut_characters_in_two():
    document = xml(JAPANESE, declared="euc-jp")
    body = document.encode("euc-jp")

    assert "".join(decoded_chunks((body[at : at + 1] for at in range(len(body))), None)) == document
    assert "".join(decoded_chunks([], None)) == ""
