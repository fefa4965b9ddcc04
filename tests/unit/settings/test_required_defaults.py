"""Numbers that the requirements fix, as they are when nobody sets anything."""

from datetime import timedelta
from operator import attrgetter

import pytest

from outrider.settings import Settings

MINUTE_S, HOUR_S = 60.0, 3600.0


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        pytest.param("fetch.timeout_s", 30.0, id="FET-03, RTY-02: a request has 30 s"),
        pytest.param("fetch.max_body_bytes", 10 * 1024 * 1024, id="FET-04: a body has 10 MB"),
        pytest.param("fetch.follow_redirects", True, id="RDC-01: redirects are followed"),
        pytest.param("fetch.max_redirects", 5, id="RDC-01: for five hops"),
        pytest.param("fetch.insecure_skip_verify", False, id="FET-17: certificates are verified"),
        pytest.param("hosts.delay_ms", 1_000, id="CLM-07: a second between requests"),
        pytest.param("hosts.random_delay_ms", 0, id="CLM-14: no random extra"),
        pytest.param("hosts.breaker_failures", 5, id="BRK-01: five failures open the circuit"),
        pytest.param("hosts.breaker_rest", timedelta(minutes=1), id="BRK-01: for a minute"),
        pytest.param("crawl.respect_robots", True, id="ROB-11: robots.txt is obeyed"),
        pytest.param("crawl.robots_ttl_s", 24 * HOUR_S, id="ROB-04: it is believed for a day"),
        pytest.param("crawl.max_attempts", 3, id="RTY-10: three failed fetches are the end"),
        pytest.param("crawl.transport_tries", 3, id="RTY-02: three tries"),
        pytest.param("crawl.depth_cap", 10, id="SPI-06: no deeper than ten links"),
        pytest.param("crawl.submissions_per_s", 100, id="SPI-06: 100 new URLs a second from a source"),
        pytest.param("crawl.share_visited", False, id="SPI-13: visited URLs are not shared"),
        pytest.param("crawl.share_visited_s", 168 * HOUR_S, id="SPI-13: or for a week"),
        pytest.param("feeds.poll_s", 15 * MINUTE_S, id="FED-08: feeds every 15 minutes"),
        pytest.param("feeds.sitemap_poll_s", 6 * HOUR_S, id="FED-14: sitemaps every six hours"),
        pytest.param("feeds.discovery_s", HOUR_S, id="FED-19: the search runs once an hour"),
        pytest.param("feeds.discovery_retry_s", 168 * HOUR_S, id="FED-19: a site again after a week"),
    ],
)
def test_a_default_is_the_one_required(setting: str, value: object):
    assert attrgetter(setting)(Settings()) == value
