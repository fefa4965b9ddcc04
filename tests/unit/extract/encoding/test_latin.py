"""Encodings of the Latin alphabet, told apart by their letters."""

import pytest

from outrider.extract.encoding.latin import LATIN_CODECS, latin_fits


@pytest.mark.parametrize(
    ("text", "codec"),
    [
        ("été, mère, garçon, hôtel", "cp1252"),
        ("Größe, Äpfel", "cp1252"),
        ("příliš žluťoučký kůň", "cp1250"),
        ("příliš žluťoučký kůň", "iso8859_2"),
        ("zażółć gęślą jaźń", "cp1250"),
        ("yağız şoför çabucak ılık", "cp1254"),
        ("glāžšķūņa rūķīši", "cp1257"),
        ("cœur, sœur, été", "iso8859_15"),
        ("eĥoŝanĝo ĉiuĵaŭde", "iso8859_3"),
    ],
)
def test_the_letters_of_a_language_fit_their_encoding_best(text, codec):
    fits = latin_fits(text.encode(codec))

    assert fits[codec] == max(fits.values()) == 1.0


def test_quotation_marks_say_less_than_letters():
    assert 0 < latin_fits("“yes”".encode("cp1252"))["cp1252"] < 1


@pytest.mark.parametrize("sample", [b"", b"plain", bytes(range(128, 256)), b"\xff" * 100])
def test_any_bytes_fit_somehow(sample):
    fits = latin_fits(sample)

    assert fits.keys() == LATIN_CODECS
    assert all(0 <= fit <= 1 for fit in fits.values())
