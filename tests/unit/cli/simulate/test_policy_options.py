"""A policy as people say it: what is understood, what their settings say, and how a slip is answered."""

from pathlib import Path

import pytest

from outrider.cli.simulate.policy_options import PolicyOptions, changes_of
from outrider.errors import InvalidInput
from outrider.simulate.plan import WatchPolicy
from outrider.sources.model import Mode


@pytest.fixture
def config(tmp_path: Path) -> Path:
    file = tmp_path / "outrider.toml"
    file.write_text('feed_interval = "30m"\ntrap_patience = 7\n')
    return file


@pytest.fixture
def nothing_set(tmp_path: Path) -> Path:
    file = tmp_path / "empty.toml"
    file.touch()
    return file


def test_where_nothing_is_said_the_simulations_own_policy_runs(nothing_set: Path):
    policy, settings = PolicyOptions.of(poll=None).in_full(nothing_set)

    assert policy == WatchPolicy()
    assert settings.traps.patience == 20


def test_what_is_set_counts_and_an_option_counts_more(config: Path):
    policy, settings = PolicyOptions.of(sitemap_poll="12h").in_full(config)
    other, _ = PolicyOptions.of(poll="2h").in_full(config)

    assert (policy.poll_s, policy.sitemap_poll_s) == (1_800, 43_200)
    assert settings.traps.patience == 7
    assert other.poll_s == 7_200


def test_what_only_sources_have_is_a_policy_too(nothing_set: Path):
    policy, _ = PolicyOptions.of(mode="both", revisit="2d").in_full(nothing_set)

    assert policy == WatchPolicy(Mode.BOTH, revisit_s=172_800)


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        pytest.param("poll=2h, sitemap-poll=12h", {"poll": "2h", "sitemap_poll": "12h"}, id="dashes"),
        pytest.param("poll = 1h", {"poll": "1h"}, id="blanks"),
        pytest.param("trap_patience=3", {"trap_patience": "3"}, id="any setting"),
    ],
)
def test_changes_are_read_as_people_write_them(text: str, changes: dict[str, str]):
    assert changes_of(text) == changes


def test_a_change_replaces_what_was_said_under_either_name(config: Path):
    changed = PolicyOptions.of(poll="2h", mode="both").changed({"feed_interval": "3h", "trap_patience": "3"})
    policy, settings = changed.in_full(config)

    assert (policy.poll_s, policy.mode, settings.traps.patience) == (10_800, Mode.BOTH, 3)


@pytest.mark.parametrize(
    ("changes", "answer"),
    [
        pytest.param("poll", "write NAME=VALUE", id="no value"),
        pytest.param("poll=", "write NAME=VALUE", id="an empty value"),
        pytest.param("", "write NAME=VALUE", id="nothing at all"),
        pytest.param("poll=1h,,mode=both", "write NAME=VALUE", id="an empty change"),
        pytest.param("trap_patienc=3", "did you mean trap_patience", id="a slip of the pen"),
        pytest.param("speed=11", "speed is not a setting; `outrider config --all`", id="no setting"),
        pytest.param("poll=1h,poll=2h", "feed_interval is changed twice", id="twice"),
        pytest.param("poll=1h,feed-interval=2h", "feed_interval is changed twice", id="twice by two names"),
        pytest.param("lanes=3", "lanes has no effect in a simulation", id="replaced"),
        pytest.param("database_url=x", "database_url has no effect", id="of another database"),
        pytest.param("trap_patience=0", "cannot be used: the least is 1", id="out of bounds"),
        pytest.param("mode=magic", "give one of feed, spider, both", id="no mode"),
    ],
)
def test_a_change_that_makes_no_sense_is_answered_with_what_would(changes: str, answer: str):
    with pytest.raises(InvalidInput, match=answer):
        changes_of(changes)


@pytest.mark.parametrize("name", ["poll", "sitemap_poll", "delay", "revisit"])
def test_all_durations_are_advised_on_in_the_same_words(name: str):
    with pytest.raises(InvalidInput, match="'often' cannot be used: give a duration such as 30s, 500ms"):
        PolicyOptions.of(**{name: "often"})


@pytest.mark.parametrize(
    ("name", "value", "answer"),
    [
        pytest.param("poll", "59s", "--poll '59s' cannot be used: the least is 1m", id="too often"),
        pytest.param("sitemap_poll", "31d", "--sitemap-poll '31d' .* the most is 30d", id="too rarely"),
        pytest.param("revisit", "1m", "the least is 1h", id="revisited too soon"),
    ],
)
def test_a_slip_is_named_with_what_would_be_right(name: str, value: str, answer: str):
    with pytest.raises(InvalidInput, match=answer):
        PolicyOptions.of(**{name: value})
