"""The waits between the tries of one visit, as they really are, in virtual time."""

from dataclasses import replace
from itertools import pairwise

import pytest
from tests.support.virtual_crawl import visit

from outrider.crawl.options import CrawlOptions
from outrider.hosts.options import HostOptions
from outrider.settings import Settings

HURRIED = Settings(hosts=HostOptions(delay_ms=0))


@pytest.fixture(autouse=True)
def _no_waits() -> None:
    """The other tests of this folder do without waits; these are about nothing else."""


def gaps(times: list[float]) -> list[float]:
    return [round(after - before, 3) for before, after in pairwise(times)]


def test_a_broken_connection_is_tried_three_times_after_one_and_two_seconds(empty_database: str):
    visited = visit(empty_database, HURRIED, broken=["/page"])

    assert gaps(visited.times("/page")) == [1.0, 2.0]
    assert (visited.row["status"], visited.row["retry_count"]) == ("pending", 1)


def test_a_fourth_try_waits_four_seconds(empty_database: str):
    settings = replace(HURRIED, crawl=CrawlOptions(transport_tries=4))

    assert gaps(visit(empty_database, settings, broken=["/page"]).times("/page")) == [1.0, 2.0, 4.0]


@pytest.mark.parametrize(("dice", "waits"), [(1.0, [1.5, 2.5]), (0.5, [1.25, 2.25])])
def test_up_to_half_a_second_is_added_at_random(empty_database: str, dice: float, waits: list[float]):
    assert gaps(visit(empty_database, HURRIED, broken=["/page"], dice=dice).times("/page")) == waits


def test_a_host_that_is_asked_less_often_is_not_tried_sooner(empty_database: str):
    settings = Settings(hosts=HostOptions(delay_ms=1_500))

    assert gaps(visit(empty_database, settings, broken=["/page"]).times("/page")) == [1.5, 2.0]


def test_robots_txt_is_tried_three_times_after_two_and_four_seconds_and_the_host_rests(empty_database: str):
    visited = visit(empty_database, HURRIED, broken=["/robots.txt"])

    assert gaps(visited.times("/robots.txt")) == [2.0, 4.0]
    assert visited.times("/page") == []
    assert visited.due_in_s == pytest.approx(3600)
