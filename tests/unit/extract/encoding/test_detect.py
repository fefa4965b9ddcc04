"""Guesses about bytes that nobody declared."""

import pytest

from outrider.extract.encoding.decode import decode
from outrider.extract.encoding.detect import SAMPLE_BYTES, detect

RUSSIAN = "Все счастливые семьи похожи друг на друга, каждая несчастливая семья несчастлива по-своему. " * 4
CZECH = "Příliš žluťoučký kůň úpěl ďábelské ódy a ještě jednou přišel šedý žák na děkanství školy. " * 4
GREEK = "Η γάτα κοιμάται στον ήλιο και ονειρεύεται ψάρια, ενώ ο σκύλος φυλάει την πόρτα του σπιτιού. " * 4
POLISH = "Zażółć gęślą jaźń, powiedział stary król i poszedł spać pod wielką gruszą nad rzeką. " * 4
FRENCH = "L'été dernier, la mère d'Hélène a reçu à Noël une tête de bœuf et de très vieux gâteaux. " * 4
SPANISH = "El niño comió piña en la montaña. ¿Dónde está mañana el señor? Aquí, dijo él, más allá. " * 2
TURKISH = "Pijamalı hasta yağız şoföre çabucak güvendi, sonra da İstanbul'da ılık bir çorba içti. " * 4
LATVIAN = "Glāžšķūņa rūķīši dzērumā čiepj Baha koncertflīģeļu vākus, un ēst gribējās visiem. " * 4
CHINESE = (
    "<p>人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。</p>\n" * 8
)
JAPANESE = "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。" * 6


@pytest.mark.parametrize(
    ("text", "codec", "expected"),
    [
        (RUSSIAN, "cp1251", "windows-1251"),
        (RUSSIAN, "koi8_r", "koi8-r"),
        (CZECH, "cp1250", "windows-1250"),
        (CZECH, "iso8859_2", "iso-8859-2"),
        (POLISH, "cp1250", "windows-1250"),
        (POLISH, "iso8859_2", "iso-8859-2"),
        (FRENCH.replace("œ", "oe"), "latin-1", "windows-1252"),
        (FRENCH, "iso8859_15", "iso-8859-15"),
        (SPANISH, "latin-1", "windows-1252"),
        (TURKISH, "cp1254", "windows-1254"),
        (LATVIAN, "cp1257", "windows-1257"),
        ("It costs £5, and £3 for children. " * 4, "latin-1", "windows-1252"),
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


@pytest.mark.parametrize(
    ("text", "codec", "expected"),
    [
        (CHINESE, "gb18030", "gb18030"),
        (JAPANESE.replace("。", "。\n"), "shift_jis", "shift_jis"),
        (JAPANESE.replace("。", "。\n"), "euc_jp", "euc-jp"),
    ],
)
def test_neither_half_a_character_nor_a_damaged_one_hides_an_encoding(text, codec, expected):
    body = text.encode(codec)
    long = (text * (SAMPLE_BYTES // len(body) + 1)).encode(codec)

    assert detect(body[:-2]) == expected
    assert detect(body[:100] + b"\xff" + body[100:]) == expected
    assert {detect(b"a" * shift + long) for shift in range(3)} == {expected}


def test_a_damaged_byte_does_not_turn_a_utf_8_page_into_something_else():
    assert detect(RUSSIAN.encode() + b"\xff" + RUSSIAN.encode()) == "utf-8"


def test_an_encoding_outside_the_standard_can_still_be_read():
    body = RUSSIAN.encode("cp855")

    assert decode(body) == (RUSSIAN, "ibm855")
