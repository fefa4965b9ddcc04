"""When a feed would like to be asked again."""

import pytest

from outrider.feeds.markup import read_markup
from outrider.feeds.model import UpdateHints
from outrider.feeds.rhythm import rhythm_of


@pytest.mark.parametrize(
    ("source", "rhythm"),
    [
        ("", UpdateHints()),
        ("<ttl>60</ttl>", UpdateHints(ttl_minutes=60)),
        ("<ttl>soon</ttl>", UpdateHints()),
        ("<ttl>99999999999999999999</ttl>", UpdateHints()),
        (
            "<skipHours><hour>0</hour><hour>24</hour><hour>7</hour><hour>77</hour></skipHours>",
            UpdateHints(skip_hours={0, 7}),
        ),
        (
            "<skipDays><day>Sunday</day><day>monday</day><day>Caturday</day></skipDays>",
            UpdateHints(skip_days={0, 6}),
        ),
        ("<sy:updatePeriod>hourly</sy:updatePeriod>", UpdateHints(update_period_s=3600)),
        (
            "<sy:updatePeriod> daily </sy:updatePeriod><sy:updateFrequency>4</sy:updateFrequency>",
            UpdateHints(update_period_s=21_600),
        ),
        ("<sy:updateFrequency>2</sy:updateFrequency>", UpdateHints(update_period_s=43_200)),
        (
            "<sy:updatePeriod>hourly</sy:updatePeriod><sy:updateFrequency>0</sy:updateFrequency>",
            UpdateHints(update_period_s=3600),
        ),
        ("<sy:updatePeriod>often</sy:updatePeriod>", UpdateHints()),
    ],
)
def test_the_update_hints_of_the_publisher(source, rhythm):
    assert rhythm_of(read_markup(source, most_entries=1)) == rhythm
