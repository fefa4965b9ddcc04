"""A policy as people say it: what is understood, and how a slip is answered."""

from dataclasses import replace

import pytest

from outrider.cli.simulate.choices import Choices
from outrider.errors import InvalidInput
from outrider.simulate.plan import Policy
from outrider.sources.model import Mode

CHOICES = Choices(delay=None, poll="1h", sitemap_poll="1d", mode="feed", revisit=None)


def test_what_was_chosen_is_a_policy():
    said = replace(CHOICES, mode="both", revisit="2d")

    assert said.policy() == Policy(Mode.BOTH, poll_s=3600, sitemap_poll_s=86_400, revisit_s=172_800)


def test_changes_are_understood_with_dashes_and_spaces():
    assert CHOICES.changed("poll=2h, sitemap-poll=12h") == replace(CHOICES, poll="2h", sitemap_poll="12h")


@pytest.mark.parametrize("changes", ["faster=yes", "poll", "poll=", "", "poll=1h,,mode=both"])
def test_changes_of_nothing_known_are_refused(changes: str):
    with pytest.raises(InvalidInput, match="NAME=VALUE"):
        CHOICES.changed(changes)


@pytest.mark.parametrize(
    ("slip", "answer"),
    [
        pytest.param({"poll": "often"}, "poll 'often' is no duration", id="no duration"),
        pytest.param({"poll": "59s"}, "poll '59s': write something from 1m to 1w", id="too often"),
        pytest.param({"sitemap_poll": "31d"}, "sitemap-poll '31d': .* from 5m to 30d", id="too rarely"),
        pytest.param({"revisit": "1m"}, "revisit '1m': .* from 1h to 366d", id="revisited too soon"),
        pytest.param({"mode": "magic"}, "mode 'magic': write feed, spider or both", id="no mode"),
    ],
)
def test_a_slip_is_named_with_what_would_be_right(slip: dict[str, str], answer: str):
    with pytest.raises(InvalidInput, match=answer):
        replace(CHOICES, **slip).policy()
