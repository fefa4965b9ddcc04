"""The metrics of owned sites (OBS-06)."""

import re

import httpx
from tests.support.asgi import ask, plain_app, running, until

from outrider.redirects.asgi import RedirectMiddleware
from outrider.redirects.middleware import _TIMED
from outrider.services.metrics.metrics import read_metrics
from outrider.services.sites.reports import report_hits


async def values(db):
    return {each.metric.name: dict(each.values) for each in await read_metrics(db)}


async def test_hits_and_broken_urls_are_counted_for_ever(api, shop, db):
    await shop.create("/old", "/about")
    await report_hits(db, "shop", {"/old": 3, "/none": 5})
    await shop.remove("/old")
    await shop.saw(lost=2, shoes__reed=4)
    await shop.set(confidence_threshold=0.1, confidence_margin=0.0)
    await shop.missed("/lost", "/shoes/reed", "/noise")
    await api.call("PUT", "/api/v1/sites/shop/links/nav", json={"links": ["/none", "/about"]})

    found = await values(db)

    assert found["outrider_redirect_hits_total"] == {"": 3}
    assert found["outrider_broken_urls_recorded_total"] == {"": 2}
    assert found["outrider_broken_urls_resolved_total"] == {"": 1}
    assert found["outrider_dead_links"] == {"": 1}
    assert found["outrider_link_checks_total"] == {"ok": 0, "moved": 0, "dead": 0, "uncertain": 0}


async def test_prometheus_reads_them(api, shop, db):
    await shop.create("/old", "/about")
    await report_hits(db, "shop", {"/old": 2})
    transport = httpx.ASGITransport(api.client._transport.app, client=("127.0.0.1", 1))
    async with httpx.AsyncClient(transport=transport, base_url="http://outrider.test") as client:
        text = (await client.get("/metrics")).text

    assert "outrider_redirect_hits_total 2.0" in text
    assert 'outrider_link_checks_total{result="dead"} 0.0' in text


async def test_a_middleware_tells_its_own_figures(shop, database):
    await shop.create("/old", "/about")
    app = RedirectMiddleware(plain_app, site="shop", database_url=database)
    async with running(app):
        await until(lambda: len(app.service.follower.table or ()) == 1, "the table is loaded")
        await ask(app, "/old")
        await ask(app, "/b")
        text = app.figures().prometheus_text()
        for _ in range(_TIMED):
            app.service.answer("/b", "")
        timed = app.figures().prometheus_text()

    assert re.search(r"^outrider_middleware_lookup_seconds 0\.[0-9]*[1-9][0-9]*$", timed, re.MULTILINE)
    assert 'outrider_middleware_lookups_total{result="hit"} 1' in text
    assert 'outrider_middleware_lookups_total{result="miss"} 1' in text
    assert "outrider_middleware_is_following 1" in text
