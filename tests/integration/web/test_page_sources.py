"""The pages of sources: list, add, edit, test selectors, import, export; feeds."""

import json
import re

import pytest
from tests.support.newsroom import Answer, MovableClock, Newsroom
from tests.support.prose import prose
from tests.support.publications import alternate, page, rss
from tests.support.scheduling import watch

ARTICLE = "/news/2024/05/17/the-bridge-opens"
HOSTILE = "<script>alert(1)</script>"


@pytest.fixture
async def room():
    """A site with a feed and an article."""
    clock = MovableClock()
    async with Newsroom(clock) as opened:
        opened.publish("/", page(f"The Paper {HOSTILE}", head=alternate("/feed.xml")))
        opened.publish("/feed.xml", rss([(opened.origin() + ARTICLE, clock.now())]))
        text = f"<title>Title</title><h2>Headline</h2><div class=b><p>{prose('b', 80)}</p></div>"
        opened.publish(
            ARTICLE, Answer(body=text.encode(), headers={"Content-Type": "text/html; charset=utf-8"})
        )
        yield opened


async def form_of(api, path):
    """The fields of the edit form, as a browser sends them back."""
    text = (await api.get(path, role="admin")).text
    inputs = [each for each in re.findall(r"<input [^>]*>", text) if 'type="checkbox"' not in each]
    pairs = [re.search(r'name="([^"]+)".*?value="([^"]*)"', each) for each in inputs]
    kept = {each[1]: each[2] for each in pairs if each}
    areas = re.findall(r'<textarea [^>]*name="([^"]+)"[^>]*>([^<]*)</textarea>', text)
    return kept | dict(areas)


async def test_the_list_filters_by_label_mode_and_state(api, operator):
    await watch(operator, "blatt", labels="press")
    welt = await watch(operator, "welt", mode="spider")
    await api.call("POST", f"/sources/{welt.source_id}/disable", data={"reason": f"too loud {HOSTILE}"})

    def names(answer):
        return set(re.findall(r'<span class="crawled">(blatt|welt)</span></a>', answer.text))

    assert names(await api.get("/sources")) == {"blatt", "welt"}
    assert names(await api.get("/sources?label=press")) == {"blatt"}
    assert names(await api.get("/sources?mode=spider&state=&sort=priority")) == {"welt"}
    disabled = await api.get("/sources?state=disabled")
    assert names(disabled) == {"welt"}
    assert "too loud &lt;script&gt;" in disabled.text
    assert "<script>alert" not in disabled.text
    assert "No source matches" in (await api.get("/sources?search=zzz")).text


async def test_the_head_of_the_list_agrees_with_the_overview_about_disabled_sources(api, operator):
    await watch(operator, "blatt")
    welt = await watch(operator, "welt")
    await api.call("POST", f"/sources/{welt.source_id}/disable", data={"reason": "too loud"})

    overview = (await api.get("/overview")).text

    assert "1 source watched, 1 disabled." in (await api.get("/sources")).text
    assert re.search(r'Sources watched</div>\s*<div class="figure-value">1</div>', overview)


async def test_an_empty_list_offers_to_add_one(api):
    assert 'href="/sources/new"' in (await api.get("/sources", role="admin")).text
    assert 'href="/sources/new"' not in (await api.get("/sources", role="user")).text


async def test_many_sources_are_changed_after_a_question(api, operator, pool):
    sources = [await watch(operator, name, labels="press") for name in ("blatt", "welt")]
    numbers = [str(source.source_id) for source in sources]

    query = "&".join(f"selected={number}" for number in [*numbers, "4711"])
    asked = (await api.get(f"/sources/bulk/confirm?verb=disable&{query}", role="admin")).text
    enabled = await pool.fetchval("SELECT count(*) FROM source WHERE enabled AND name IN ('blatt', 'welt')")
    without = await api.call("POST", "/sources/bulk", data={"verb": "disable", "selected": numbers})
    done = await api.call(
        "POST", "/sources/bulk", data={"verb": "disable", "selected": numbers, "reason": "a pause"}
    )

    assert "Disable: 2 sources" in asked
    assert "1 source will stay as it is" in asked
    assert enabled == 2
    assert without.status_code == 400
    assert "2 sources are disabled." in done.headers["set-cookie"]
    reasons = await pool.fetch("SELECT disable_reason FROM source WHERE NOT enabled")
    assert [row["disable_reason"] for row in reasons] == ["a pause", "a pause"]


async def test_all_that_match_are_labelled(api, operator, pool):
    await watch(operator, "blatt", labels="press")
    await watch(operator, "welt")
    form = {
        "verb": "label",
        "matching": "true",
        "label": "press",
        "add_labels": "daily, x",
        "remove_labels": "press",
    }

    await api.call("POST", "/sources/bulk", data=form)

    rows = await pool.fetch("SELECT labels FROM source WHERE name IN ('blatt', 'welt') ORDER BY name")
    assert [row["labels"] for row in rows] == [["daily", "x"], []]


async def test_adding_shows_each_request_and_what_was_found(api, pool, room):
    found = await api.call("POST", "/sources/explore", data={"url": room.origin()})

    assert found.text.count("</html>") == 1
    assert re.search(r"<li>.*?/feed.xml", found.text)
    assert "Found 1 feed" in found.text
    assert "The Paper &lt;script&gt;" in found.text
    assert "<script>alert" not in found.text
    feed = re.search(r'name="feed" value="([^"]+)" checked', found.text)[1]
    form = {
        "url": room.origin(),
        "name": "paper",
        "feed": feed,
        "searched": "true",
        "mode": "feed",
        "poll": "30m",
    }
    added = await api.call("POST", "/sources", data=form)
    row = await pool.fetchrow("SELECT * FROM source WHERE name = 'paper'")
    assert added.headers["location"] == f"/sources/{row['source_id']}"
    assert row["policy"]["poll_s"] == 1800.0
    assert row["searched_at"] is not None
    assert await pool.fetchval("SELECT url FROM channel WHERE source_id = $1", row["source_id"]) == feed


@pytest.mark.parametrize(
    ("address", "said"),
    [("https://blatt.test/", "is watched already"), ("http://127.0.0.1:9/", "did not answer")],
)
async def test_a_site_that_cannot_be_added_is_explained_on_the_page(api, operator, address, said):
    await watch(operator, "blatt")

    answer = await api.call("POST", "/sources/explore", data={"url": address})

    assert answer.status_code == 200
    assert said in answer.text
    assert "`outrider" not in answer.text
    assert answer.text.count("</html>") == 1


async def test_a_source_shows_its_feeds_job_and_reason(api, operator):
    blatt = await watch(operator, "blatt", feed="https://blatt.test/feed.xml")
    path = f"/sources/{blatt.source_id}"

    page = (await api.get(path, role="user")).text

    assert "https://blatt.test/feed.xml" in page
    assert re.search(r"job \d+</a>", page)
    assert f"{path}/edit" not in page
    assert f"{path}/poll" not in page
    admin = (await api.get(path, role="admin")).text
    assert f"{path}/edit" in admin
    assert f"{path}/poll" in admin
    for target in (f"{path}/edit", f"{path}/selectors", "/sources/new", "/sources/import"):
        assert (await api.get(target, role="user")).status_code == 403


async def test_saving_a_form_as_it_came_changes_nothing(api, operator, pool):
    blatt = await watch(
        operator, "blatt", poll="30m", exclude="/a\n/b", selectors='{"article": {"title": "h1"}}'
    )
    path = f"/sources/{blatt.source_id}/edit"
    before = await pool.fetchrow("SELECT * FROM source WHERE source_id = $1", blatt.source_id)

    form = await form_of(api, path)
    answer = await api.call(
        "POST",
        path,
        data={
            **form,
            "mode": "feed",
            "allow_source_discovery": "true",
            "selectors": form["selectors"].replace("&#34;", '"'),
        },
    )

    assert "Nothing was changed" in answer.headers["set-cookie"]
    assert await pool.fetchrow("SELECT * FROM source WHERE source_id = $1", blatt.source_id) == before


async def test_a_source_is_edited_and_an_empty_field_is_its_default(api, operator, pool):
    blatt = await watch(operator, "blatt", poll="30m", labels="press")
    path = f"/sources/{blatt.source_id}/edit"
    form = await form_of(api, path)

    changed = {
        "name": "Der Bote",
        "poll": "",
        "labels": "",
        "mode": "both",
        "delay": "3s",
        "feed": "https://blatt.test/new.xml",
        "sitemap": "https://blatt.test/map.xml",
        "selectors": '{"article": {"title": "h1.head"}}',
        "allow_source_discovery": "true",
    }
    answer = await api.call("POST", path, data=form | changed)

    assert answer.headers["location"] == f"/sources/{blatt.source_id}"
    row = await pool.fetchrow("SELECT * FROM source WHERE source_id = $1", blatt.source_id)
    assert (row["name"], row["mode"], row["labels"]) == ("Der Bote", "both", [])
    assert row["policy"]["delay_s"] == 3.0
    assert row["policy"].get("poll_s") is None
    assert row["selectors"] == {"article": {"title": "h1.head"}}
    channels = await pool.fetch("SELECT url FROM channel WHERE source_id = $1 ORDER BY url", blatt.source_id)
    assert [each["url"] for each in channels] == ["https://blatt.test/map.xml", "https://blatt.test/new.xml"]


async def test_a_form_that_is_older_than_the_source_is_refused(api, operator, pool):
    blatt = await watch(operator, "blatt")
    path = f"/sources/{blatt.source_id}/edit"
    form = await form_of(api, path)
    await api.call("PUT", f"/api/v1/sources/{blatt.source_id}", json={"priority": 9})

    answer = await api.call("POST", path, data=form | {"name": "other"})

    assert answer.status_code == 409
    assert await pool.fetchval("SELECT name FROM source WHERE source_id = $1", blatt.source_id) == "blatt"


async def test_disabling_needs_a_reason_and_enabling_undoes_it(api, operator, pool):
    blatt = await watch(operator, "blatt")
    path = f"/sources/{blatt.source_id}"

    refused = await api.call("POST", f"{path}/disable", data={"reason": " "})
    await api.call("POST", f"{path}/disable", data={"reason": "a pause"})
    shown = (await api.get(path)).text
    await api.call("POST", f"{path}/enable")

    assert refused.status_code == 400
    assert "a pause" in shown
    assert await pool.fetchval("SELECT enabled FROM source WHERE source_id = $1", blatt.source_id)


async def test_selectors_are_tested_side_by_side_and_saved(api, operator, pool, room):
    paper = await watch(operator, "paper", url=f"{room.origin()}/")
    path, selectors = f"/sources/{paper.source_id}/selectors", '{"article": {"title": "h2"}}'

    tried = await api.call(
        "POST", f"{path}/try", data={"url": room.origin() + ARTICLE, "selectors": selectors}
    )
    asked = room.requests.count(ARTICLE) if hasattr(room, "requests") else None
    wrong = await api.call("POST", f"{path}/try", data={"url": room.origin() + ARTICLE, "selectors": "h2"})
    await api.call("POST", path, data={"selectors": selectors})

    row = re.search(r'<th scope="row">title.*?</tr>', tried.text, re.DOTALL)[0]
    assert "differs" in row
    assert row.index("Headline") < row.index(">Title<")
    assert asked in (None, 1)
    assert "Selectors are JSON" in wrong.text
    assert ">h2</textarea>" in wrong.text
    stored = await pool.fetchval("SELECT selectors FROM source WHERE source_id = $1", paper.source_id)
    assert stored == json.loads(selectors)


async def test_an_import_can_be_tried_and_names_refused_rows(api, pool):
    content = "url,name,mode\nhttps://a.test/,alpha,feed\nnot an address,<b>bad</b>,feed\n"
    file = {"file": ("list.csv", content.encode(), "text/csv")}

    tried = await api.call("POST", "/sources/import", files=file, data={"dry_run": "true"})
    count = await pool.fetchval("SELECT count(*) FROM source WHERE name = 'alpha'")
    done = await api.call("POST", "/sources/import", files=file)

    assert "nothing was changed" in tried.text
    assert count == 0
    assert "&lt;b&gt;bad" in done.text
    assert "refused" in done.text
    assert "url: " in done.text
    assert await pool.fetchval("SELECT count(*) FROM source WHERE name = 'alpha'") == 1
    empty = await api.call("POST", "/sources/import", files={"file": ("x.csv", b"", "text/csv")})
    assert empty.status_code == 400
    exported = await api.get("/sources/export?format=csv")
    assert "alpha" in exported.text
    assert "attachment" in exported.headers["content-disposition"]
    assert (await api.call("POST", "/sources/import", role="user", files=file)).status_code == 403


async def test_feeds_are_shown_by_state_and_switched(api, operator, pool):
    blatt = await watch(
        operator, "blatt", feed="https://blatt.test/a https://blatt.test/b https://blatt.test/c"
    )
    await pool.execute("UPDATE url SET next_fetch_at = now() + interval '1 day' WHERE url LIKE '%/c'")
    await pool.execute("UPDATE channel SET errors = 3, last_error = 'gone <b>' WHERE url LIKE '%/a'")
    channel = await pool.fetchval("SELECT channel_id FROM channel WHERE url LIKE '%/b'")
    path = f"/sources/{blatt.source_id}/feeds/{channel}"

    failing = (await api.get("/feeds?view=failing", role="admin")).text
    await api.call("POST", f"{path}/disable", data={"back": "/feeds?view=all"})
    disabled = (await api.get("/feeds?view=disabled", role="admin")).text
    due = (await api.get("/feeds?view=due")).text

    assert "blatt.test/a" in failing
    assert "blatt.test/b" not in failing
    assert "gone &lt;b&gt;" in failing
    assert "blatt.test/b" in disabled
    assert f"{path}/enable" in disabled
    assert "blatt.test/a" in due
    assert "blatt.test/b" not in due
    assert "blatt.test/c" not in due  # it is polled tomorrow
    assert re.search(r"Due <b>1</b>", due)
    assert "blatt.test/c" in (await api.get("/feeds")).text
    assert re.search(r"Disabled <b>1</b>", due)
    assert re.search(r"Failing <b>1</b>", due)
    back = await api.call("POST", f"{path}/enable", data={"back": "/feeds?view=disabled"})
    assert back.headers["location"] == "/feeds?view=disabled"
    assert await pool.fetchval("SELECT disabled_at FROM channel WHERE channel_id = $1", channel) is None
    assert "/poll" not in (await api.get("/feeds", role="user")).text


async def test_poll_now_makes_the_feeds_of_a_source_due(api, operator, pool):
    blatt = await watch(operator, "blatt", feed="https://blatt.test/a")
    await pool.execute("UPDATE url SET next_fetch_at = now() + interval '1 day' WHERE url LIKE '%/a'")

    answer = await api.call("POST", f"/sources/{blatt.source_id}/poll", data={"back": "/feeds"})

    assert answer.headers["location"] == "/feeds"
    assert await pool.fetchval("SELECT next_fetch_at <= now() FROM url WHERE url LIKE '%/a'")
    assert (await api.call("POST", f"/sources/{blatt.source_id}/poll", role="user")).status_code == 403
