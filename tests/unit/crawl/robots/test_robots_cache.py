"""Rules at hand: believed until they expire, remembered a little longer, bounded."""

import time

import pytest

from outrider.crawl.robots.robots_cache import RobotsCache
from outrider.robots import Robots
from outrider.robots.store import CachedRules

ORIGIN = "http://a.test"


def held(life_s: float) -> CachedRules:
    return CachedRules(Robots.ALLOW_ALL, time.monotonic() + life_s)


@pytest.mark.parametrize(("life_s", "is_found"), [(60, True), (0, False), (-60, False)])
def test_expired_rules_count_as_missing(life_s, is_found):
    robots_cache = RobotsCache()
    rules = held(life_s)
    robots_cache.put({ORIGIN: rules})

    assert (robots_cache.find(ORIGIN) is rules) is is_found
    assert robots_cache.last_known(ORIGIN) is rules


def test_rules_of_an_unknown_origin_are_missing():
    assert RobotsCache().find(ORIGIN) is None
    assert RobotsCache().last_known(ORIGIN) is None


def test_those_not_asked_for_go_first():
    robots_cache = RobotsCache(capacity=2)
    robots_cache.put({"http://a.test": held(60), "http://b.test": held(60)})
    robots_cache.find("http://a.test")
    robots_cache.put({"http://c.test": held(60)})

    assert [robots_cache.find(f"http://{name}.test") is not None for name in "abc"] == [True, False, True]
