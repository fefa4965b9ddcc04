"""`/api/v1/discovered-links` and `/api/v1/discovered-domains`."""

import pytest
from tests.support.crawled import id_of

from outrider.urls import key_of
from outrider.watch.discovery.outside_links import DiscoveredStore, OutsideLink

NEWS, SHOP, BLOG = "https://www.news.example/a/1", "https://shop.example/b", "https://news.example/a/2?x=1"


@pytest.fixture
async def links(operator):
    """Three links of one source, to two domains."""
    source = await operator.new_source("home")
    for url in (NEWS, SHOP, BLOG):
        found = [OutsideLink(key_of(url), url, 3)]
        await operator.run(
            lambda db, found=found: DiscoveredStore().record(db, source, "https://home.example/", 1, found)
        )
    return {url: f"{source}:{id_of(url)}" for url in (NEWS, SHOP, BLOG)}


async def _found_by(operator, name, url):
    """The link as another source found it: its id."""
    source, link = await operator.new_source(name), [OutsideLink(key_of(url), url, 3)]
    page = f"https://{name}.example/"
    await operator.run(lambda db: DiscoveredStore().record(db, source, page, 2, link))
    return f"{source}:{id_of(url)}"


async def _decide(api, domain, state):
    path = f"/api/v1/discovered-domains/{domain}/state"
    assert (await api.call("PATCH", path, json={"state": state})).status_code == 200


async def _links(api, query=""):
    answer = await api.get(f"/api/v1/discovered-links{query}")
    assert answer.status_code == 200, answer.text
    return [item["url"] for item in answer.json()["items"]]


async def test_links_are_listed_by_filters_in_both_orders(api, links):
    assert await _links(api) == [BLOG, SHOP, NEWS]
    assert await _links(api, "?sort_order=asc") == [NEWS, SHOP, BLOG]
    assert await _links(api, "?domain=news.example") == [BLOG, NEWS]
    assert await _links(api, "?search=SHOP&status=new&source_id=home") == [SHOP]
    assert await _links(api, "?status=processing") == []
    assert (await api.get("/api/v1/discovered-links?status=old")).status_code == 422


async def test_links_of_other_sources_and_states_are_left_out(api, operator, links):
    await _found_by(operator, "other", SHOP)
    await _decide(api, "news.example", "ignored")

    assert await _links(api, "?source_id=other") == [SHOP]
    assert (await api.get("/api/v1/discovered-links?source_id=nobody")).status_code == 404
    assert await _links(api, "?source_id=home") == [BLOG, SHOP, NEWS]
    assert await _links(api, "?status=new") == [SHOP, SHOP]
    assert await _links(api, "?status=ignored") == [BLOG, NEWS]


@pytest.mark.parametrize("order", ["asc", "desc"])
async def test_pages_of_the_list_hold_each_link_once(api, links, order):
    seen, after = [], "start"
    while after:
        page = (await api.get(f"/api/v1/discovered-links?limit=1&sort_order={order}&after={after}")).json()
        seen += [item["url"] for item in page["items"]]
        after = page["next"]

    assert seen == ([NEWS, SHOP, BLOG] if order == "asc" else [BLOG, SHOP, NEWS])
    assert page["total"] == 3


async def test_one_link_is_shown_and_removed(api, operator, links):
    path = f"/api/v1/discovered-links/{links[SHOP]}"
    other = f"/api/v1/discovered-links/{await _found_by(operator, 'other', SHOP)}"
    shown = [(await api.get(each)).json() for each in (path, other)]
    assert [(link["url"], link["source"], link["depth"]) for link in shown] == [
        (SHOP, "home", 1), (SHOP, "other", 2),
    ]  # fmt: skip
    assert [link["parent_url"] for link in shown] == ["https://home.example/", "https://other.example/"]

    assert (await api.call("DELETE", path)).status_code == 204
    assert (await api.get(path)).status_code == 404
    assert (await api.call("DELETE", path)).status_code == 404
    assert await _links(api, "?source_id=home") == [BLOG, NEWS]
    assert (await api.get(other)).status_code == 200


async def test_a_link_becomes_a_job_of_a_new_source(api, operator, links):
    made = await api.post(f"/api/v1/discovered-links/{links[SHOP]}/create-job")
    again = await api.post(f"/api/v1/discovered-links/{links[SHOP]}/create-job")

    job = await operator.run(
        lambda db: db.fetchrow("SELECT * FROM jobs WHERE id = $1::uuid", made.json()["job_id"])
    )
    assert (made.status_code, made.json()["is_new_source"]) == (201, True)
    assert (made.json()["link"]["status"], again.status_code) == ("processing", 409)
    assert (job["source_name"], job["schedule_enabled"]) == (made.json()["source"], False)
    assert await operator.state(SHOP) == "pending"
    assert (await api.get("/api/v1/frontier?origin=discovered")).json()["total"] == 1


async def test_a_second_link_of_the_host_becomes_a_job_of_the_same_source(api, operator, links):
    first = (await api.post(f"/api/v1/discovered-links/{links[NEWS]}/create-job")).json()
    other = NEWS.replace("/1", "/3")
    link = [OutsideLink(key_of(other), other, 3)]
    source = int(links[NEWS].split(":")[0])
    await operator.run(lambda db: DiscoveredStore().record(db, source, "https://home.example/", 1, link))

    second = (await api.post(f"/api/v1/discovered-links/{source}:{id_of(other)}/create-job")).json()

    assert (second["source"], second["is_new_source"]) == (first["source"], False)
    assert second["job_id"] != first["job_id"]


async def test_domains_are_listed_and_one_is_shown_with_its_links(api, links):
    page = (await api.get("/api/v1/discovered-domains")).json()
    one = (await api.get("/api/v1/discovered-domains/www.news.example")).json()
    inside = (await api.get("/api/v1/discovered-domains/news.example/links")).json()

    assert ({item["domain"] for item in page["items"]}, page["limit"]) == (
        {"news.example", "shop.example"},
        25,
    )
    assert (one["domain"], one["links"], one["state"], one["notes"]) == ("news.example", 2, "active", None)
    assert (one["sources"], one["referring"], one["depth"], one["is_watched"]) == (1, ["home"], 1, False)
    assert [link["url"] for link in inside["links"]["items"]] == [BLOG, NEWS]
    assert {(each["path"], each["links"]) for each in inside["clusters"]} == {
        ("www.news.example/a", 1), ("news.example/a", 1),
    }  # fmt: skip
    assert (await api.get("/api/v1/discovered-domains?min_score=101")).status_code == 422
    assert (await api.get("/api/v1/discovered-domains/nobody.example")).status_code == 404

    await _decide(api, "news.example", "ignored")
    assert (await api.get("/api/v1/discovered-domains/news.example")).json()["state"] == "ignored"


async def test_the_links_of_a_domain_come_by_pages_and_its_largest_cluster_first(api, operator, links):
    third = NEWS.replace("/1", "/3")
    await _found_by(operator, "other", third)
    path = "/api/v1/discovered-domains/news.example/links?limit=2"

    first = (await api.get(path)).json()
    rest = (await api.get(f"{path}&after={first['links']['next']}")).json()

    pages = [[link["url"] for link in page["links"]["items"]] for page in (first, rest)]
    assert pages == [[third, BLOG], [NEWS]]
    assert [(each["path"], each["links"]) for each in first["clusters"]] == [
        ("www.news.example/a", 2), ("news.example/a", 1),
    ]  # fmt: skip


async def test_domains_can_be_hidden_by_their_score_or_because_they_are_watched(api, links):
    async def domains(query):
        page = (await api.get(f"/api/v1/discovered-domains?{query}")).json()
        return {item["domain"]: item["score"] for item in page["items"]}

    scores = await domains("")
    assert set(await domains(f"min_score={max(scores.values())}")) == set(scores)
    assert await domains(f"min_score={max(scores.values()) + 1}") == {}

    await api.post("/api/v1/sources", {"url": "https://shop.example/", "name": "shop"})
    assert set(await domains("hide_existing=true")) == {"news.example"}
    assert set(await domains("search=shop")) == {"shop.example"}


async def test_a_decision_about_a_domain_is_kept_with_its_notes(api, links):
    path = "/api/v1/discovered-domains/shop.example/state"
    await api.call("PATCH", path, json={"state": "reviewing", "notes": "asked the owner"})
    ignored = (await api.call("PATCH", path, json={"state": "ignored"})).json()

    assert (ignored["state"], ignored["notes"]) == ("ignored", "asked the owner")
    assert await _links(api, "?status=ignored") == [SHOP]
    assert (await api.get("/api/v1/discovered-domains?status=ignored")).json()["total"] == 1

    for state, status in (
        ("promoted", "promoted"),
        ("reviewing", "new"),
        ("ignored", "ignored"),
        ("active", "new"),
    ):
        await _decide(api, "shop.example", state)
        link = (await api.get(f"/api/v1/discovered-links/{links[SHOP]}")).json()
        assert (state, link["status"]) == (state, status)
        assert (await api.get("/api/v1/discovered-domains/shop.example")).json()["state"] == state


@pytest.mark.parametrize(
    ("domain", "body", "status"),
    [
        ("nobody.example", {"state": "ignored"}, 404),
        ("shop.example", {"state": "lost"}, 422),
        ("shop.example", {"state": "active", "notes": "x" * 2001}, 422),
        ("shop.example", {}, 422),
    ],
)
async def test_a_wrong_decision_is_refused(api, links, domain, body, status):
    answer = await api.call("PATCH", f"/api/v1/discovered-domains/{domain}/state", json=body)

    assert (answer.status_code, bool(answer.json()["error"])) == (status, True)


async def test_a_decision_upon_an_old_state_is_refused(api, links):
    path = "/api/v1/discovered-domains/shop.example"
    answer = await api.call(
        "PATCH", f"{path}/state", json={"state": "ignored"}, headers={"If-Match": '"old"'}
    )

    assert (answer.status_code, (await api.get(path)).json()["state"]) == (412, "active")


async def test_many_domains_are_decided_about_at_once(api, links):
    domains = ["shop.example", "nobody.example", "news.example"]
    body = {"domains": domains, "state": "ignored", "notes": "a farm of links"}
    tried = (await api.post("/api/v1/discovered-domains/bulk-state", body | {"dry_run": True})).json()
    assert (tried["changed"], (await api.get("/api/v1/discovered-domains")).json()["total"]) == (2, 2)

    done = (await api.post("/api/v1/discovered-domains/bulk-state", body)).json()

    assert (done["changed"], done["refused"]) == (2, 1)
    assert [each["state"] for each in done["results"]] == ["ignored", None, "ignored"]
    assert (await api.get("/api/v1/discovered-domains")).json()["total"] == 0
    assert (await api.get("/api/v1/discovered-domains/shop.example")).json()["notes"] == "a farm of links"


@pytest.mark.parametrize(("count", "status"), [(0, 422), (100, 200), (101, 422)])
async def test_a_bulk_decision_has_bounds(api, count, status):
    body = {"domains": [f"d{n}.example" for n in range(count)], "state": "ignored"}

    assert (await api.post("/api/v1/discovered-domains/bulk-state", body)).status_code == status


LINK = f"1:1:{'0' * 32}"


@pytest.mark.parametrize(
    "path", ["links", f"links/{LINK}", "domains", "domains/a.test", "domains/a.test/links"]
)
async def test_only_users_may_read(api, path):
    assert (await api.get(f"/api/v1/discovered-{path}", role="anonymous")).status_code == 401


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("DELETE", f"links/{LINK}"),
        ("POST", f"links/{LINK}/create-job"),
        ("PATCH", "domains/a.test/state"),
        ("POST", "domains/bulk-state"),
    ],
)
async def test_only_administrators_may_change(api, method, path):
    for role, status in (("anonymous", 401), ("user", 403)):
        answer = await api.call(method, f"/api/v1/discovered-{path}", role, json={"state": "active"})
        assert answer.status_code == status
