"""Hits, views and 404s in batches, with the key of the site."""

from datetime import UTC, datetime, timedelta

import pytest
from tests.support.sites import ALL

from outrider.services.sites.broken_urls import list_broken


@pytest.fixture
def report(keyed, shop):
    async def send(path, body):
        headers = {"Authorization": f"Bearer {shop.key}"}
        return await keyed.client.post(f"/api/v1/sites/shop/{path}", json=body, headers=headers)

    return send


async def test_reports_are_counted(report, shop, other, db):
    await shop.create("/old", "/about")
    await other.create("/old", "/about")
    await other.saw(theirs=5)
    yesterday = (datetime.now(UTC) - timedelta(days=1)).date()
    lost = {"path": "/lost", "count": 1, "referrer": "https://a.test/"}

    hits = await report("redirects/hits", {"hits": {"/Old/": 3, "/none": 1}})
    for _ in range(2):
        views = await report("views", {"day": yesterday.isoformat(), "views": {"/lost": 7, "/about": 1}})
    misses = await report(
        "not-found", {"paths": [lost, {"path": "/wp-login.php"}, {"path": "/theirs"}, lost]}
    )

    assert (hits.json(), views.json()) == ({"counted": 1}, {"counted": 2})
    assert misses.json() == {"noise": 2, "recorded": 1, "resolved": 0}
    [redirect], [theirs] = await shop.listed(), await other.listed()
    assert (redirect.hit_count, theirs.hit_count) == (3, 0)
    assert await db.fetchval("SELECT views FROM site_view WHERE path = '/lost' AND day = $1", yesterday) == 14
    [broken] = (await list_broken(db, "shop", ALL)).items
    assert (broken.path, broken.prior_analytics_hits, broken.recent_404_count) == ("/lost", 14, 2)
    assert list(broken.referrers) == ["https://a.test/"]


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        pytest.param("redirects/hits", {"hits": {"/a": 0}}, 422, id="a count of zero"),
        pytest.param("redirects/hits", {"hits": {"/a": 10**10}}, 422, id="a count that is too large"),
        pytest.param("redirects/hits", {"hits": ["/a"]}, 422, id="a list instead of an object"),
        pytest.param("redirects/hits", {}, 422, id="nothing"),
        pytest.param("views", {"views": {f"/{n}": 1 for n in range(10_001)}}, 422, id="too many paths"),
        pytest.param("views", {"views": {"/a": 1}, "day": "1999-01-01"}, 400, id="an old day"),
        pytest.param("views", {"views": {"/a": 1}, "day": "2999-01-01"}, 400, id="a day to come"),
        pytest.param("views", {"views": {"/a": 1}, "day": "soon"}, 422, id="no day"),
        pytest.param("not-found", {"paths": [{"path": "/a"}] * 10_001}, 422, id="too many 404s"),
        pytest.param("not-found", {"paths": [{"path": "/a", "colour": 1}]}, 422, id="an unknown field"),
    ],
)
async def test_bad_reports_are_refused(report, db, path, body, status):
    answer = await report(path, body)

    assert answer.status_code == status
    assert await db.fetchval("SELECT count(*) FROM site_view") == 0


async def test_paths_that_no_page_can_have_are_left_out(report):
    answer = await report("views", {"views": {"no slash": 1, "/a/../b": 1, "/x" * 2_000: 1, "/ok": 1}})

    assert answer.json() == {"counted": 1}
