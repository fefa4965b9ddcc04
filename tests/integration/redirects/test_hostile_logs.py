"""Hostile lines of access logs are left out or stored safely; the import goes on."""

import json
from datetime import UTC, datetime

from tests.support.sites import ALL, SiteOwner

from outrider.redirects.access_logs import read_log
from outrider.services.sites.broken_urls import list_broken
from outrider.services.sites.log_import import import_log

NOW = datetime.now(UTC).isoformat()


def line(path: str, status: int = 404, **more: object) -> bytes:
    told = {"time": NOW, "method": "GET", "path": path, "status": status, "user_agent": "Mozilla/5.0", **more}
    return json.dumps(told).encode()


async def test_hostile_lines_are_left_out_and_the_others_count(shop: SiteOwner):
    lines = [
        line("/lost", 200),
        line("/lost", referer="http://a.test/\ud800"),
        line("/lost", referer="http://a.test/\x00"),
        line("/lost", referer="http://a.test/fine"),
        line("/\ud800"),
        line("/\x00"),
        line("/../../etc/passwd", 200),
        line("/" + "x" * 5_000, 200),
        line("/later", 200, time="9998-01-01T00:00:00+00:00"),
        line("/lost", time="0001-01-01T00:00:00+23:00"),
        line("/lost", time=1e300),
        line("/lost", time="9999-12-31T23:59:59-23:00"),
        line("/lost", status=10**30),
        b'{"time": ' + b"9" * 5_000 + b', "path": "/lost", "status": 404}',
        b"[" * 100_000,
        b"\xff\xfe\x00",
        b'1.2.3.4 - - [10/Oct/2026:13:55:36 +0000] "GET /a\r\nSet-Cookie: x HTTP/1.1" 200 1 "-" "-"',
    ]

    done = await import_log(shop.db, shop.name, read_log(iter(lines)), "print", again=False)

    assert done.lines == len(lines)
    [row] = (await list_broken(shop.db, shop.name, ALL)).items
    assert row.path == "/lost"
    assert row.prior_analytics_hits == 1
    assert all(each.isprintable() for each in row.referrers)
    days = await shop.db.fetch("SELECT DISTINCT day FROM site_view")
    assert [each["day"] for each in days] == [datetime.now(UTC).date()], "no day to come is counted"
