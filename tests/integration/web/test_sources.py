"""`/api/v1/sources`: list, create, read, change and delete sources."""

import pytest
from tests.support.scheduling import watch


async def create(api, name="blatt", **values):
    answer = await api.post("/api/v1/sources", {"url": f"https://{name}.test/", "name": name} | values)
    assert answer.status_code == 201, answer.text
    return answer.json()


async def events_of(api, source):
    async with api.context.connection() as db:
        rows = await db.fetch(
            "SELECT event_type FROM source_event WHERE source_id = $1 ORDER BY number", source["source_id"]
        )
    return [row["event_type"] for row in rows]


async def test_a_new_source_is_stored_and_leaves_an_event(api):
    made = await create(
        api,
        mode="both",
        labels=["press", "daily"],
        delay=2.5,
        poll="30m",
        feed=["https://blatt.test/feed.xml"],
        sitemap=["https://blatt.test/sitemap.xml"],
        selectors={"article": {"title": "h1"}},
    )

    read = (await api.get(f"/api/v1/sources/{made['id']}")).json()
    assert (read["name"], read["mode"], read["labels"]) == ("blatt", "both", ["press", "daily"])
    assert (read["policy"]["delay_s"], read["policy"]["poll_s"]) == (2.5, 1800.0)
    assert read["selectors"] == {"article": {"title": "h1"}}
    assert await events_of(api, made) == ["SOURCE_CREATED"]
    details = (await api.get(f"/api/v1/sources/{made['id']}/details")).json()
    assert {channel["kind"]: channel["url"] for channel in details["channels"]} == {
        "feed": "https://blatt.test/feed.xml",
        "sitemap": "https://blatt.test/sitemap.xml",
    }


@pytest.mark.parametrize(
    ("values", "status", "said"),
    [
        pytest.param({"url": "no address"}, 400, "url", id="no address"),
        pytest.param({"poll": "1s"}, 400, "poll", id="a poll interval that is too short"),
        pytest.param({"exclude": ["("]}, 400, "exclude", id="a broken pattern"),
        pytest.param({"mode": "guess"}, 422, "mode", id="an unknown mode"),
        pytest.param({"colour": "red"}, 422, "colour", id="an unknown field"),
        pytest.param({"name": None}, 400, "name has no default", id="a field without a default"),
    ],
)
async def test_values_are_checked(api, values, status, said):
    answer = await api.post("/api/v1/sources", {"url": "https://blatt.test/", "name": "blatt"} | values)

    assert answer.status_code == status, answer.text
    assert said in answer.json().get("error", "")


async def test_a_delay_that_cannot_be_read_is_replaced_and_a_note_says_so(api):
    made = await create(api, delay="soon")

    assert made["policy"]["delay_s"] == 1.0
    assert made["notes"][0].startswith("delay: ")


async def test_an_address_or_a_name_is_watched_once(api):
    await create(api)

    same_address = await api.post("/api/v1/sources", {"url": "blatt.test", "name": "other"})
    same_name = await api.post("/api/v1/sources", {"url": "other.test", "name": "blatt"})
    forced = await api.post("/api/v1/sources", {"url": "blatt.test", "name": "other", "force": True})

    assert (same_address.status_code, same_name.status_code, forced.status_code) == (409, 409, 201)
    assert "is watched already" in same_address.json()["error"]
    assert "is called 'blatt' already" in same_name.json()["error"]


async def test_a_list_is_filtered_sorted_and_paged(api, operator):
    await create(api, "alpha", labels=["press"], mode="spider")
    await create(api, "beta", labels=["press", "daily"], enabled=False, priority=9)
    await create(api, "gamma", feed=["https://gamma.test/feed"])

    async def names(query):
        return [each["name"] for each in (await api.get(f"/api/v1/sources?{query}")).json()["items"]]

    assert await names("") == ["alpha", "beta", "gamma"]
    assert await names("sort_order=desc") == ["gamma", "beta", "alpha"]
    assert await names("sort_by=created_at&sort_order=desc") == ["gamma", "beta", "alpha"]
    assert await names("sort_by=priority&sort_order=desc") == ["beta", "alpha", "gamma"]
    assert await names("label=press") == ["alpha", "beta"]
    assert await names("label=daily&enabled=false") == ["beta"]
    assert await names("mode=spider") == ["alpha"]
    assert await names("feed_active=true") == ["gamma"]
    assert await names("feed_active=false") == ["alpha", "beta"]
    assert await names("failing=true") == []
    assert await names("search=GAM") == ["gamma"]
    assert await names("search=DAILY") == ["beta"]
    page = (await api.get("/api/v1/sources?limit=1&offset=1")).json()
    assert ([each["name"] for each in page["items"]], page["total"]) == (["beta"], 3)
    beyond = (await api.get("/api/v1/sources?offset=7")).json()
    assert (beyond["items"], beyond["total"]) == ([], 3)


async def test_sources_that_are_disabled_or_announce_nothing_are_found(api):
    await create(api, "alpha", mode="feed", feed=["https://alpha.test/feed"], search_notes=[])
    await create(api, "beta", mode="spider", enabled=False)
    await create(api, "gamma", mode="feed", search_notes=["no feed"])

    async def names(query):
        return [each["name"] for each in (await api.get(f"/api/v1/sources?{query}")).json()["items"]]

    assert await names("enabled=true") == ["alpha", "gamma"]
    assert await names("enabled=false") == ["beta"]
    assert await names("silent=true") == ["gamma"]


@pytest.mark.parametrize("query", ["mode=guess", "sort_by=colour", "limit=251", "enabled=maybe"])
async def test_a_wrong_filter_is_refused(api, query):
    assert (await api.get(f"/api/v1/sources?{query}")).status_code == 422


async def test_a_change_that_saw_the_newest_state_is_made(api):
    made = await create(api, labels=["press"], delay=5)
    path = f"/api/v1/sources/{made['id']}"
    tag = (await api.get(path)).headers["etag"]

    changed = await api.call(
        "PUT", path, json={"depth": 2, "delay": None, "labels": []}, headers={"If-Match": tag}
    )
    late = await api.call("PUT", path, json={"depth": 4}, headers={"If-Match": tag})

    assert changed.status_code == 200, changed.text
    now = (await api.get(path)).json()
    assert (now["policy"]["max_depth"], now["policy"]["delay_s"], now["labels"]) == (2, None, [])
    assert (late.status_code, late.json()["code"]) == (412, "precondition_failed")
    assert await events_of(api, made) == ["SOURCE_CREATED", "SOURCE_UPDATED"]


async def test_a_change_needs_a_known_field(api):
    made = await create(api)

    assert (await api.call("PUT", f"/api/v1/sources/{made['id']}", json={})).status_code == 400
    assert (await api.call("PUT", f"/api/v1/sources/{made['id']}", json={"status": 1})).status_code == 422


async def test_a_deleted_source_is_watched_no_more(api):
    made = await create(api, feed=["https://blatt.test/feed"])
    other = await create(api, "zeitung", feed=["https://zeitung.test/feed"])

    answer = await api.call("DELETE", f"/api/v1/sources/{made['source_id']}")

    assert (answer.status_code, answer.content) == (204, b"")
    assert (await api.get(f"/api/v1/sources/{made['id']}")).status_code == 404
    assert await events_of(api, made) == ["SOURCE_CREATED", "SOURCE_DELETED"]
    assert [each["id"] for each in (await api.get("/api/v1/sources")).json()["items"]] == [other["id"]]
    assert [each["source_name"] for each in (await api.get("/api/v1/feeds")).json()["items"]] == ["zeitung"]


async def test_a_source_is_disabled_with_a_reason_and_enabled_again(api, operator):
    source = await watch(operator, "blatt")
    path = f"/api/v1/sources/{source.public_id}"

    without = await api.call("PATCH", f"{path}/disable", json={})
    disabled = await api.call("PATCH", f"{path}/disable", json={"reason": "it moved"})
    twice = await api.call("PATCH", f"{path}/disable", json={"reason": "it moved"})
    enabled = await api.call("PATCH", f"{path}/enable")
    again = await api.call("PATCH", f"{path}/enable")

    assert without.status_code == 422
    assert (disabled.status_code, disabled.json()["enabled"]) == (200, False)
    assert disabled.json()["disable_reason"] == "it moved"
    assert (twice.status_code, twice.json()["error"]) == (409, "'blatt' is disabled already")
    assert (enabled.status_code, enabled.json()["enabled"]) == (200, True)
    assert (enabled.json()["disable_reason"], enabled.json()["disabled_at"]) == (None, None)
    assert await events_of(api, disabled.json()) == ["SOURCE_CREATED", "SOURCE_DISABLED", "SOURCE_ENABLED"]
    assert (again.status_code, again.json()["error"]) == (409, "'blatt' is enabled already")


async def test_every_enabled_source_gets_its_job(api):
    await create(api, "alpha")
    await create(api, "beta", enabled=False)

    report = (await api.post("/api/v1/admin/sync-enabled-sources")).json()

    assert report == {
        "sources_seen": 2,
        "sources_enabled": 1,
        "created": 1,
        "already_has_job": 0,
        "resumed": 0,
        "skipped_disabled": 1,
        "errors": [],
    }
    [job] = (await api.get("/api/v1/jobs?source_id=alpha")).json()["items"]

    again = (await api.post("/api/v1/admin/sync-enabled-sources")).json()
    assert again == report | {"created": 0, "already_has_job": 1}
    await api.post(f"/api/v1/jobs/{job['id']}/pause")
    resumed = (await api.post("/api/v1/admin/sync-enabled-sources")).json()
    assert resumed == report | {"created": 0, "resumed": 1}
    assert (await api.get(f"/api/v1/jobs/{job['id']}")).json()["status"] == "scheduled"


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/api/v1/sources"),
        ("PUT", "/api/v1/sources/2"),
        ("DELETE", "/api/v1/sources/2"),
        ("PATCH", "/api/v1/sources/2/enable"),
        ("PATCH", "/api/v1/sources/2/disable"),
        ("PATCH", "/api/v1/sources/2/feed-enable"),
        ("PATCH", "/api/v1/sources/2/feed-disable"),
        ("POST", "/api/v1/sources/bulk"),
        ("POST", "/api/v1/sources/import"),
        ("POST", "/api/v1/sources/2/poll"),
        ("POST", "/api/v1/sources/2/discover-feed"),
        ("POST", "/api/v1/sources/fetch-metadata"),
        ("POST", "/api/v1/sources/search"),
        ("POST", "/api/v1/sources/test-crawl"),
        ("POST", "/api/v1/admin/sync-enabled-sources"),
    ],
)
async def test_changes_are_for_administrators(api, method, path):
    assert (await api.call(method, path, "user")).status_code == 403
    assert (await api.call(method, path, "anonymous")).status_code == 401


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "/api/v1/sources/77", None),
        ("GET", "/api/v1/sources/77/details", None),
        ("PUT", "/api/v1/sources/77", {"depth": 1}),
        ("DELETE", "/api/v1/sources/77", None),
        ("PATCH", "/api/v1/sources/77/enable", None),
        ("PATCH", "/api/v1/sources/77/feed-disable", {"reason": "x"}),
        ("POST", "/api/v1/sources/77/poll", None),
        ("POST", "/api/v1/sources/77/discover-feed", None),
    ],
)
async def test_an_unknown_source_is_not_found(api, method, path, body):
    assert (await api.call(method, path, json=body)).status_code == 404


@pytest.mark.parametrize("selected", [{"label": "press"}, {"search": "a.test"}, {"all": True}])
async def test_a_dry_run_changes_no_source(api, selected):
    await create(api, "alpha", labels=["press"])
    await create(api, "beta", labels=["press"])

    tried = (await api.post("/api/v1/sources/bulk", {"verb": "remove", "dry_run": True} | selected)).json()

    assert (tried["dry_run"], tried["changed"], tried["refused"]) == (True, 2, 0)
    assert (await api.get("/api/v1/sources")).json()["total"] == 2


async def test_many_sources_are_changed_and_one_that_refuses_stops_no_other(api):
    alpha = await create(api, "alpha", labels=["press"])
    beta = await create(api, "beta", enabled=False)

    async def bulk(**body):
        return (await api.post("/api/v1/sources/bulk", body)).json()

    disabled = await bulk(verb="disable", all=True, reason="a holiday")
    assert (disabled["changed"], disabled["refused"]) == (1, 1)
    assert disabled["sources"][1]["error"] == "'beta' is disabled already"
    labelled = await bulk(
        verb="label", ids=[alpha["id"], str(beta["source_id"])], add_labels=["x"], remove_labels=["press"]
    )
    assert labelled["changed"] == 2
    assert (await bulk(verb="enable", label="x"))["changed"] == 2
    assert (await bulk(verb="remove", ids=["77", alpha["id"]]))["refused"] == 1
    [left] = (await api.get("/api/v1/sources")).json()["items"]
    assert (left["name"], left["enabled"], left["labels"]) == ("beta", True, ["x"])


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"verb": "enable"}, 422),
        ({"verb": "disable", "all": True}, 422),
        ({"verb": "enable", "all": True, "reason": "x"}, 422),
        ({"verb": "label", "all": True}, 422),
        ({"verb": "enable", "all": True, "label": "x"}, 422),
        ({"verb": "explode", "all": True}, 422),
        ({"verb": "enable", "label": "nobody has it"}, 404),
    ],
)
async def test_a_selection_that_is_not_clear_is_refused(api, body, status):
    assert (await api.post("/api/v1/sources/bulk", body)).status_code == status


async def test_one_source_is_found_by_any_of_its_names(api):
    made = (await api.post("/api/v1/sources", {"url": "https://blatt.test/", "name": "Das Blatt"})).json()

    for name in ("Das Blatt", "blatt.test", str(made["source_id"]), made["id"]):
        found = (await api.get("/api/v1/sources", params={"named": name})).json()
        assert [each["id"] for each in found["items"]] == [made["id"]], name
    unknown = await api.get("/api/v1/sources", params={"named": "nobody"})
    assert (unknown.status_code, "nobody" in unknown.json()["error"]) == (404, True)


async def test_a_dry_run_adds_and_changes_nothing(api):
    body = {"url": "https://blatt.test/", "name": "Das Blatt"}
    tried = await api.post("/api/v1/sources", body | {"dry_run": True})
    assert (tried.status_code, tried.json()["name"]) == (201, "Das Blatt")
    assert (await api.get("/api/v1/sources")).json()["total"] == 0

    made = (await api.post("/api/v1/sources", body | {"search_notes": ["no feed"]})).json()
    kept = (await api.get(f"/api/v1/sources/{made['id']}")).json()
    assert (kept["search_notes"], kept["searched_at"] is not None) == (["no feed"], True)
    change = {"priority": 9, "labels": ["news"]}
    tried = await api.call("PUT", f"/api/v1/sources/{made['id']}?dry_run=true", json=change)
    assert sorted(tried.json()["changed"]) == ["labels", "priority"]
    assert (await api.get(f"/api/v1/sources/{made['id']}")).json()["priority"] == 5
