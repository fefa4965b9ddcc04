"""Rules of politeness, each broken on purpose and reported by the check."""

from dataclasses import replace

import pytest

from outrider.simulate.mix import USUAL
from outrider.simulate.politeness_check import Permit, PolitenessRule, PolitenessSettings, violations
from outrider.simulate.server import RequestPurpose
from outrider.simulate.sites import Site, make_sites
from outrider.simulate.web import LoggedRequest

SITE = replace(make_sites(1, 1, USUAL)[0], crawl_delay_s=None, has_private_pages=True)
SLOW = replace(SITE, crawl_delay_s=5.0)


def request(
    began_s: float, ended_s: float, asked: RequestPurpose = RequestPurpose.ARTICLE, **more: object
) -> LoggedRequest:
    values: dict[str, object] = {"status": 200, **more}
    return LoggedRequest(SITE.host, f"/{asked}", asked, began_s, ended_s, **values)  # type: ignore[arg-type]


ROBOTS = request(0, 0.1, RequestPurpose.ROBOTS)


@pytest.mark.parametrize(
    ("site", "log", "expected"),
    [
        pytest.param(SITE, [ROBOTS, request(1.1, 1.2), request(2.2, 9)], [], id="in good order"),
        pytest.param(
            SITE, [request(0, 1), request(1.9, 2)], [PolitenessRule.DELAY], id="a tenth of a second early"
        ),
        pytest.param(
            SITE, [request(0, 3), request(2, 4)], [PolitenessRule.ALONE], id="before the last answer"
        ),
        pytest.param(
            SLOW, [ROBOTS, request(1.2, 2)], [PolitenessRule.DELAY], id="faster than robots.txt asks"
        ),
        pytest.param(SLOW, [ROBOTS, request(5.2, 6)], [], id="as slow as robots.txt asks"),
        pytest.param(
            SLOW,
            [request(0, 1, RequestPurpose.ROBOTS, status=503), request(2, 3, RequestPurpose.ROBOTS)],
            [],
            id="robots.txt could not be read yet",
        ),
        pytest.param(
            SITE,
            [request(0, 1, status=429, retry_after_s=60), request(30, 31)],
            [PolitenessRule.RETRY_AFTER],
            id="before its Retry-After is over",
        ),
        pytest.param(
            SITE,
            [request(0, 1, status=429, retry_after_s=60), request(61, 62)],
            [],
            id="after its Retry-After",
        ),
        pytest.param(
            SITE,
            [request(0, 1, status=429, retry_after_s=200_000), request(86_402, 86_403)],
            [],
            id="a Retry-After longer than is granted",
        ),
        pytest.param(
            SITE,
            [request(0, 1, status=429, retry_after_s=900), request(901, 902), request(903, 904)],
            [],
            id="asked again after its rest",
        ),
        pytest.param(
            SITE,
            [request(0, 1, status=429, retry_after_s=900), request(99, 100, status=None), request(199, 200)],
            [PolitenessRule.RETRY_AFTER, PolitenessRule.RETRY_AFTER],
            id="a rest is not over because it was disturbed",
        ),
        pytest.param(
            SITE,
            [ROBOTS, request(2, 3, RequestPurpose.PRIVATE)],
            [PolitenessRule.ROBOTS],
            id="what robots.txt forbids",
        ),
        pytest.param(
            SITE, [request(5, 6), request(0, 1), request(2.5, 3)], [], id="the log is in the order of answers"
        ),
    ],
)
def test_a_broken_rule_is_seen(site: Site, log: list[LoggedRequest], expected: list[PolitenessRule]):
    found = violations(log, [site], PolitenessSettings())

    assert [each.rule for each in found] == expected


def test_hosts_do_not_wait_for_each_other():
    other = replace(SITE, host="other.test")
    log = [request(0, 1), replace(request(0.5, 1.5), host=other.host)]

    assert violations(log, [SITE, other], PolitenessSettings()) == []


def test_a_violation_has_how_early_the_request_was():
    [found] = violations([request(0, 1), request(1.25, 2)], [SITE], PolitenessSettings())

    assert found.early_s == pytest.approx(0.75)


def resting(asked_s: int, gap_s: float) -> list[LoggedRequest]:
    return [request(0, 1, status=429, retry_after_s=asked_s), request(1 + gap_s, 2 + gap_s)]


@pytest.mark.parametrize(
    ("log", "conduct", "expected"),
    [
        pytest.param(
            resting(900, 6), PolitenessSettings(retry_after_cap_s=5), [Permit.RETRY_AFTER_CAP], id="a low cap"
        ),
        pytest.param(
            resting(900, 3), PolitenessSettings(retry_after_cap_s=5), [None], id="before even the low cap"
        ),
        pytest.param(
            resting(200_000, 86_400), PolitenessSettings(retry_after_cap_s=5), [], id="after the usual cap"
        ),
        pytest.param(
            resting(200_000, 86_400),
            PolitenessSettings(retry_after_cap_s=9e4),
            [None],
            id="a high cap counts",
        ),
        pytest.param(
            [ROBOTS, request(6, 7, RequestPurpose.PRIVATE)],
            PolitenessSettings(respects_robots=False),
            [Permit.RESPECT_ROBOTS],
            id="robots.txt switched off",
        ),
        pytest.param(
            [ROBOTS, request(1.1, 2)],
            PolitenessSettings(respects_robots=False),
            [Permit.RESPECT_ROBOTS],
            id="and its delay with it",
        ),
        pytest.param(
            [ROBOTS, request(0.6, 2)],
            PolitenessSettings(respects_robots=False),
            [None],
            id="faster than even our own",
        ),
    ],
)
def test_a_violation_that_a_setting_allows_is_marked_and_still_counts(
    log: list[LoggedRequest], conduct: PolitenessSettings, expected: list[Permit | None]
):
    assert [each.permit for each in violations(log, [SLOW], conduct)] == expected
