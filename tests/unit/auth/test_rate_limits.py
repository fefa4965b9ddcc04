"""Which limits a request has, and the window in the memory of a process."""

from typing import Any

import pytest

from outrider.auth.memory_rate_limits import MemoryRateLimits, RateLimitsWithFallback
from outrider.auth.metrics import AuthMetrics
from outrider.auth.model import ANONYMOUS, Principal, ProvenBy, Role
from outrider.auth.options import AuthOptions
from outrider.auth.rate_limits import WindowState, address_group, limits_for
from outrider.errors import Unavailable

OPTIONS = AuthOptions()
NO_DATABASE: Any = None


def user(role: Role) -> Principal:
    return Principal(role, ProvenBy.JWT, 7, "ann")


@pytest.mark.parametrize(
    ("principal", "expected"),
    [
        (ANONYMOUS, [("anonymous", "address:192.0.2.1", 10)]),
        (user(Role.USER), [("user", "user:7", 100)]),
        (user(Role.ADMIN), [("admin", "user:7", 500)]),
        (Principal(Role.SITE, ProvenBy.SITE_KEY, site_id=3), [("site", "site:3", 6_000)]),
        (Principal(Role.SERVICE, ProvenBy.SERVICE_SECRET), []),
    ],
)
def test_a_caller_has_the_limit_of_its_role_by_user_or_address(principal: Principal, expected: list[Any]):
    found = limits_for(principal, "192.0.2.1", OPTIONS)

    assert [(each.name, each.key, each.limit) for each in found] == expected


def test_the_strictest_limit_comes_first():
    found = limits_for(user(Role.ADMIN), "192.0.2.1", OPTIONS, adds_seeds=True)
    loose = limits_for(user(Role.USER), None, AuthOptions(seed_limit=400), adds_seeds=True)

    assert [(each.name, each.limit) for each in found] == [("seeds", 10), ("admin", 500)]
    assert [each.name for each in loose] == ["user", "seeds"]
    assert len({each.key for each in found}) == 2


@pytest.mark.parametrize(
    ("address", "group"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("nonsense", "nonsense"),
        ("x" * 500, "x" * 100),
    ],
)
def test_addresses_of_one_ipv6_customer_are_one_caller(address: str, group: str):
    assert address_group(address) == group


async def test_a_window_in_memory_slides():
    now = 0.0
    limits = MemoryRateLimits(lambda: now)

    assert [(await limits.hit(NO_DATABASE, "a", 2)).is_allowed for _ in range(3)] == [True, True, False]
    now = 30.0
    assert (await limits.hit(NO_DATABASE, "a", 2)).reset_s == 30.0
    now = 60.0
    assert (await limits.hit(NO_DATABASE, "a", 2)).is_allowed
    assert (await limits.hit(NO_DATABASE, "b", 2)).is_allowed


async def test_memory_is_bounded():
    limits = MemoryRateLimits(most_callers=10)
    for number in range(100):
        await limits.hit(NO_DATABASE, str(number), 5)

    assert len(limits._windows) == 10


class Broken:
    is_away = True

    async def hit(self, db: Any, key: str, limit: int) -> WindowState:
        if self.is_away:
            raise Unavailable("it does not answer")
        return WindowState(True, 1, 60.0)

    async def close(self) -> None: ...


async def test_while_the_shared_store_is_away_the_process_counts_alone_and_says_so():
    metrics, shared = AuthMetrics(), Broken()
    limits = RateLimitsWithFallback(shared, metrics)

    assert [(await limits.hit(NO_DATABASE, "a", 2)).is_allowed for _ in range(3)] == [True, True, False]
    assert metrics.registry.get_sample_value("outrider_rate_limit_fallbacks_total") == 3

    shared.is_away = False
    assert (await limits.hit(NO_DATABASE, "a", 2)).is_allowed
    assert metrics.registry.get_sample_value("outrider_rate_limit_fallbacks_total") == 3
