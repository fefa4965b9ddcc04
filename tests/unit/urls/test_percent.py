import pytest

from outrider.urls.percent import tidy_escapes


@pytest.mark.parametrize(
    ("written", "tidy"),
    [
        pytest.param("%41%7a%30%2d%2E%5f%7E", "Az0-._~", id="unreserved characters are decoded"),
        pytest.param(
            "%2f%3a%3F%23%26%3d%2b%25", "%2F%3A%3F%23%26%3D%2B%25", id="reserved ones only upper-cased"
        ),
        pytest.param("%c3%a9%00%7f", "%C3%A9%00%7F", id="so is everything else"),
        pytest.param("%zz%", "%zz%", id="what is no escape stays"),
        pytest.param("%2541", "%2541", id="an escaped percent sign stays escaped"),
        pytest.param("%%41", "%%41", id="no new escape is forged from a stray sign"),
        pytest.param("%%34%31", "%%341", id="nor from a sign and two escapes"),
        pytest.param("%4%31", "%4%31", id="nor from a sign, a digit and an escape"),
        pytest.param("%a%2f", "%a%2F", id="a stray sign's digit keeps its case"),
        pytest.param("%x%41", "%xA", id="a stray sign further away does not matter"),
    ],
)
def test_escapes_have_one_spelling(written, tidy):
    assert tidy_escapes(written) == tidy
    assert tidy_escapes(tidy) == tidy
