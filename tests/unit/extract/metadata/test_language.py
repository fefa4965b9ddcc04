"""How a page's language is spelled."""

import pytest

from outrider.extract.metadata.language import first_language, language_tag


@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        ("en", "en"),
        ("EN-us", "en-US"),
        ("pt_BR", "pt-BR"),
        ("zh-hant-tw", "zh-Hant-TW"),
        ("es-419", "es-419"),
        ("de-DE-1996", "de-DE"),
        ("en_US.UTF-8", "en-US"),
        (" fr , de", "fr"),
        ("fil", "fil"),
        ("english", None),
        ("x-default", None),
        ("und", None),
        ("{{ lang }}", None),
        ("", None),
        (None, None),
    ],
)
def test_a_language_is_spelled_as_bcp_47_recommends(declared, expected):
    assert language_tag(declared) == expected


def test_the_first_declaration_that_names_a_language_counts():
    assert first_language((None, "", "und", "nl", "en")) == "nl"
