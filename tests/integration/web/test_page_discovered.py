"""The pages of discovered domains and links: decide about many, fetch one, watch a site."""

import re

import pytest

from outrider.urls import key_of
from outrider.watch.discovery.outside_links import DiscoveredStore, OutsideLink

URLS = ("https://news.example/a", "https://news.example/b", "https://shop.example/c?<i>=1")


@pytest.fixture
async def links(operator):
    source = await operator.new_source("home")
    found = [OutsideLink(key_of(url), url, 5) for url in URLS]
    await operator.run(lambda db: DiscoveredStore().record(db, source, "https://home.example/", 1, found))


async def ids_of(api):
    listed = (await api.get("/api/v1/discovered-links")).json()["items"]
    return {each["url"]: each["id"] for each in listed}


async def test_domains_wait_for_a_decision_and_bulk_ignore_asks_first(api, pool, links):
    page = (await api.get("/discovered", role="admin")).text
    asked = await api.get(
        "/discovered/confirm?verb=ignore&selected=news.example&selected=no.example", role="admin"
    )
    none_yet = await pool.fetchval("SELECT count(*) FROM discovered_domain WHERE state = 'ignored'")
    done = await api.call("POST", "/discovered", data={"verb": "ignore", "selected": ["news.example"]})

    assert "2 sites wait for a decision" in page
    assert "news.example" in page
    assert "Ignore: 1 domain" in asked.text
    assert "1 domain will stay as it is" in asked.text
    assert none_yet == 0
    assert done.headers["location"] == "/discovered"
    assert "news.example" not in (await api.get("/discovered")).text
    assert "news.example" in (await api.get("/discovered?state=ignored")).text


async def test_domains_are_reviewed_and_restored(api, pool, links):
    async def decide(verb):
        asked = await api.get(f"/discovered/confirm?verb={verb}&selected=news.example", role="admin")
        await api.call("POST", "/discovered", data={"verb": verb, "selected": ["news.example"]})
        state = await pool.fetchval("SELECT state FROM discovered_domain WHERE domain = 'news.example'")
        return asked.status_code, state, "news.example" in (await api.get("/discovered")).text

    assert await decide("review") == (200, "reviewing", True)  # it waits for a decision still
    assert await decide("ignore") == (200, "ignored", False)
    assert await decide("restore") == (200, "active", True)


async def test_links_are_fetched_ignored_and_forgotten(api, pool, links):
    ids = await ids_of(api)
    first, second, third = (ids[url] for url in sorted(ids))

    asked = await api.get(f"/discovered/links/confirm?verb=fetch&selected={first}", role="admin")
    jobs_before = await pool.fetchval("SELECT count(*) FROM job")
    for verb, link in (("fetch", first), ("ignore", second), ("remove", third)):
        await api.call("POST", "/discovered/links", data={"verb": verb, "selected": [link]})

    assert "Fetch once: 1 link" in asked.text
    assert jobs_before == 0
    assert await pool.fetchval("SELECT count(*) FROM job") == 1
    listed = (await api.get("/api/v1/discovered-links")).json()["items"]
    assert {each["url"]: each["status"] for each in listed} == {URLS[0]: "processing", URLS[1]: "ignored"}
    again = await api.call("POST", "/discovered/links", data={"verb": "fetch", "selected": [first]})
    assert "1 link refused" in again.headers["set-cookie"]


async def test_a_domain_is_watched_after_a_preview(api, pool, links):
    asked = (await api.get("/discovered/promote?named=news.example", role="admin")).text
    before = await pool.fetchval("SELECT count(*) FROM source WHERE url = 'https://news.example/'")
    form = {"named": "news.example", "name": "News", "mode": "both", "labels": "found"}
    await api.call("POST", "/discovered/promote", data=form)

    assert "https://news.example/" in asked
    assert before == 0
    row = await pool.fetchrow("SELECT * FROM source WHERE url = 'https://news.example/'")
    assert (row["name"], row["mode"], row["labels"]) == ("News", "both", ["found"])


async def test_a_domain_page_shows_its_links_escaped(api, links):
    page = (await api.get("/discovered/domains/shop.example")).text
    listed = (await api.get("/discovered/links?search=shop")).text

    assert "1 link from 1 source leads there" in page
    for text in (page, listed):
        assert "<i>" not in text
    assert "news.example/a" not in listed


async def test_readers_look_only(api, links):
    for path in ("/discovered", "/discovered/links", "/discovered/domains/news.example"):
        page = await api.get(path, role="user")
        assert page.status_code == 200
        assert not re.search(r'action="/discovered[^"]*" method="post"|data-dialog', page.text)
    for path in (
        "/discovered/confirm?verb=ignore&selected=news.example",
        "/discovered/promote?named=news.example",
    ):
        assert (await api.get(path, role="user")).status_code == 403
    form = {"verb": "ignore", "selected": ["news.example"]}
    assert (await api.call("POST", "/discovered", role="user", data=form)).status_code == 403
    assert (await api.get("/discovered/confirm?verb=ignore", role="admin")).status_code == 400


async def test_a_stored_address_of_another_scheme_breaks_no_page(api, pool, links):
    await pool.execute("UPDATE discovered_link SET url = 'javascript:alert(1)//' || url_hash")

    asked = await api.get("/discovered/promote?named=news.example", role="admin")

    assert asked.status_code == 200
    assert "https://news.example/" in asked.text
    for path in ("/discovered", "/discovered/links", "/discovered/domains/news.example"):
        page = await api.get(path, role="admin")
        assert page.status_code == 200
        assert 'href="javascript:' not in page.text
