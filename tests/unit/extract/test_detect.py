"""Guesses about bytes that nobody declared."""

import pytest

from outrider.extract.decode import decode
from outrider.extract.detect import detect

RUSSIAN = "Все счастливые семьи похожи друг на друга, каждая несчастливая семья несчастлива по-своему. " * 4
CZECH = "Příliš žluťoučký kůň úpěl ďábelské ódy a ještě jednou přišel šedý žák na děkanství školy. " * 4
GREEK = "Η γάτα κοιμάται στον ήλιο και ονειρεύεται ψάρια, ενώ ο σκύλος φυλάει την πόρτα του σπιτιού. " * 4
JAPANESE = "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。" * 6


@pytest.mark.parametrize(
    ("text", "codec", "expected"),
    [
        (RUSSIAN, "cp1251", "windows-1251"),
        (RUSSIAN, "koi8_r", "koi8-r"),
        (CZECH, "cp1250", "windows-1250"),
        (CZECH, "iso8859_2", "iso-8859-2"),
        (GREEK, "cp1253", "windows-1253"),
        (JAPANESE, "shift_jis", "shift_jis"),
        (JAPANESE, "euc_jp", "euc-jp"),
        (JAPANESE, "iso2022_jp", "iso-2022-jp"),
        (JAPANESE, "utf_16_le", "utf-16le"),
        (RUSSIAN, "utf_8", "utf-8"),
    ],
)
def test_a_paragraph_is_enough(text, codec, expected):
    assert detect(text.encode(codec)) == expected


def test_a_character_cut_in_two_at_the_end_is_still_utf_8():
    assert detect("grün, sagte er: ü".encode()[:-1]) == "utf-8"


def test_a_damaged_byte_does_not_turn_a_utf_8_page_into_something_else():
    assert detect(RUSSIAN.encode() + b"\xff" + RUSSIAN.encode()) == "utf-8"


def test_an_encoding_outside_the_standard_can_still_be_read():
    body = RUSSIAN.encode("cp855")

    assert decode(body) == (RUSSIAN, "ibm855")
