"""What one visit of a lease found holds for the next one, as long as nothing differs."""

import time
from types import SimpleNamespace

import pytest

from outrider.crawl.plan import CrawlPlan
from outrider.crawl.robots.rules import lease_rules
from outrider.crawl.turn import LeaseRules
from outrider.robots import Robots
from outrider.sources.owners import UrlOwner
from outrider.sources.policy import Policy

PLAN, OTHER_PLAN = (CrawlPlan.of(UrlOwner(nth, "a crawl", Policy()), depth_cap=10) for nth in (1, 2))
ROBOTS = Robots.parse(b"User-agent: *\nDisallow: /private/\n")


def turn(*, delay_ms=500, expires_in_s=60.0):
    """The part of a turn that decides: its state and what it found."""
    found = LeaseRules(PLAN, "http://a.test:8080/", 500, ROBOTS, time.monotonic() + expires_in_s)
    return SimpleNamespace(rules=found, state=SimpleNamespace(delay_ms=delay_ms))


def entry(url="http://a.test:8080/next"):
    return SimpleNamespace(url=url)


def test_the_same_rules_hold_for_the_next_entry_of_the_origin_and_the_plan():
    assert lease_rules(entry(), PLAN, turn()) is ROBOTS


@pytest.mark.parametrize(
    "url",
    ["https://a.test:8080/next", "http://a.test/next", "http://a.test:80801/next", "http://b.test:8080/"],
    ids=["another scheme", "no port", "a longer port", "another host"],
)
def test_another_origin_has_rules_of_its_own(url):
    assert lease_rules(entry(url), PLAN, turn()) is None


def test_another_source_may_ignore_robots_txt_or_ask_for_another_delay():
    assert lease_rules(entry(), OTHER_PLAN, turn()) is None


def test_a_delay_that_was_changed_meanwhile_is_set_again():
    assert lease_rules(entry(), PLAN, turn(delay_ms=2_000)) is None


def test_expired_rules_do_not_hold_for_the_rest_of_the_lease():
    assert lease_rules(entry(), PLAN, turn(expires_in_s=0.0)) is None


def test_the_first_visit_of_a_lease_has_to_look():
    assert lease_rules(entry(), PLAN, SimpleNamespace(rules=None, state=None)) is None
