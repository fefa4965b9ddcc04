"""When a feed would like to be asked again."""

import pytest

from outrider.feeds.markup import read_markup
from outrider.feeds.model import Rhythm
from outrider.feeds.rhythm import rhythm_of


@pytest.mark.parametrize(
    ("source", "rhythm"),
    [
        ("", Rhythm()),
        ("<ttl>60</ttl>", Rhythm(ttl_minutes=60)),
        ("<ttl>soon</ttl>", Rhythm()),
        ("<ttl>99999999999999999999</ttl>", Rhythm()),
        (
            "<skipHours><hour>0</hour><hour>24</hour><hour>7</hour><hour>77</hour></skipHours>",
            Rhythm(skip_hours={0, 7}),
        ),
        (
            "<skipDays><day>Sunday</day><day>monday</day><day>Caturday</day></skipDays>",
            Rhythm(skip_days={0, 6}),
        ),
        ("<sy:updatePeriod>hourly</sy:updatePeriod>", Rhythm(update_period_s=3600)),
        (
            "<sy:updatePeriod> daily </sy:updatePeriod><sy:updateFrequency>4</sy:updateFrequency>",
            Rhythm(update_period_s=21_600),
        ),
        ("<sy:updateFrequency>2</sy:updateFrequency>", Rhythm(update_period_s=43_200)),
        (
            "<sy:updatePeriod>hourly</sy:updatePeriod><sy:updateFrequency>0</sy:updateFrequency>",
            Rhythm(update_period_s=3600),
        ),
        ("<sy:updatePeriod>often</sy:updatePeriod>", Rhythm()),
    ],
)
def test_the_publishers_wishes(source, rhythm):
    assert rhythm_of(read_markup(source, most_entries=1)) == rhythm
