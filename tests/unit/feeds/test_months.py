"""Names of months."""

import pytest

from outrider.feeds.months import month_number


@pytest.mark.parametrize(
    ("word", "number"),
    [
        ("mar", 3),
        ("mai", 5),
        ("juin", 6),
        ("juil.", 7),
        ("dez", 12),
        ("сент", 9),
        ("lutego", 2),
        ("ekim", 10),
    ],
)
def test_a_month_is_known_by_its_name_or_its_beginning(word, number):
    assert month_number(word) == number


@pytest.mark.parametrize(
    "word", ["mon", "tue", "wed", "fri", "sun", "lundi", "freitag", "gmt", "utc", "de", ""]
)
def test_other_words_are_no_months(word):
    assert month_number(word) is None
