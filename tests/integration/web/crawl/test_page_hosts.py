"""`/hosts`: how hosts are treated and why, and what an administrator changes (UI-05)."""

import pytest

from outrider.robots.store import RobotsStore
from outrider.services.hosts.words import delay_words
from outrider.urls import host_id_of

RULES = b"User-agent: *\nDisallow: /private\nCrawl-delay: 2\n"


async def _form(api, path, role="admin", **fields):
    return await api.call("POST", path, role, data=fields)


def _hosts(page):
    return {host for host in ("site.test", "other.test") if f'href="/hosts/{host}"' in page.text}


@pytest.fixture
async def rules(crawl):
    file = {"host_id": host_id_of("site.test"), "origin": "http://site.test", "status": 200, "body": RULES}
    await crawl.run(lambda db: RobotsStore().remember(db, **file, life_s=86_400))


async def test_hosts_are_listed_by_filters(api, crawl):
    await _form(api, "/hosts/block", selected="other.test", reason="asked us to")
    await crawl.set_host("site.test", breaker="1")

    assert _hosts(await api.get("/hosts")) == {"site.test", "other.test"}
    assert _hosts(await api.get("/hosts?search=SITE&blocked=&breaker=&sort=")) == {"site.test"}
    assert _hosts(await api.get("/hosts?blocked=true")) == {"other.test"}
    assert _hosts(await api.get("/hosts?breaker=open&sort=errors")) == {"site.test"}
    assert "No host matches" in (await api.get("/hosts?search=nobody")).text
    assert "blocked: asked us to" in (await api.get("/hosts")).text


async def test_the_next_page_has_the_other_host(api, crawl):
    first = await api.get("/hosts?limit=1")
    path = first.text.partition('rel="next" href="')[2].partition('"')[0].replace("&amp;", "&")

    assert _hosts(first) | _hosts(await api.get(path)) == {"site.test", "other.test"}


async def test_a_host_is_blocked_with_a_reason_and_unblocked(api, crawl):
    back = "/hosts/site.test"
    blocked = await _form(api, "/hosts/block", selected="site.test", reason="the owner asked", back=back)
    page = (await api.get("/hosts/site.test", "admin")).text

    assert blocked.headers["location"] == back
    assert "Blocked: the owner asked." in page
    assert "/hosts/site.test/unblock" in page
    assert "what=block" not in page  # only valid actions are shown
    await _form(api, "/hosts/site.test/unblock")
    assert "what=block" in (await api.get("/hosts/site.test", "admin")).text
    assert (await _form(api, "/hosts/block", selected="site.test", reason=" ")).status_code == 400


@pytest.mark.parametrize("change", ["block", "reset"])
async def test_the_page_of_a_host_asks_before_it_blocks_or_resets(api, crawl, change):
    page = (await api.get("/hosts/site.test", "admin")).text
    target = page.partition(f'href="/hosts/confirm?what={change}')[2].partition('"')[0].replace("&amp;", "&")
    asked = (await api.get(f"/hosts/confirm?what={change}{target}", "admin")).text

    assert f'action="/hosts/{change}"' not in page  # without scripts, a form would be sent at once
    assert f"{change.capitalize()} 1 host?" in asked
    assert 'name="back" value="/hosts/site.test"' in asked
    assert 'href="/hosts/site.test" data-close' in asked


async def test_a_change_of_hosts_leads_back_to_our_own_pages_only(api, crawl):
    elsewhere = await _form(api, "/hosts/reset", selected="site.test", back="//evil.test/hosts")

    assert elsewhere.headers["location"] == "/hosts"


async def test_a_delay_is_set_and_removed(api, crawl):
    async def delay_ms():
        return (await crawl.host("site.test"))["delay_ms"]

    await _form(api, "/hosts/site.test/delay", seconds="2,5")
    assert await delay_ms() == 2_500
    assert "2.5 s between two requests: an administrator set it" in (await api.get("/hosts/site.test")).text
    await _form(api, "/hosts/site.test/delay", seconds="")
    assert await delay_ms() == 0  # the default of these settings
    for wrong in ("fast", "-1", "1e9", "nan"):
        assert (await _form(api, "/hosts/site.test/delay", seconds=wrong)).status_code == 400


async def test_robots_txt_is_shown_with_the_line_that_decides(api, rules):
    page = (await api.get("/hosts/site.test?path=private/x")).text

    assert "disallowed" in page
    assert '<li class="matched">Disallow: /private</li>' in page
    assert "asks for a delay of 2 s" in page
    assert ">allowed<" in (await api.get("/hosts/site.test?path=/public")).text
    assert "It was not read yet." in (await api.get("/hosts/other.test")).text


async def test_requests_over_time_have_a_table(api, crawl, pool):
    await pool.execute(
        "INSERT INTO fetch_log (host_id, url_hash, at, outcome, http_status, elapsed_ms, wire_bytes)"
        " SELECT host_id, url_hash, now() - interval '1 minute', 'ok', 200, 30, 100 FROM url LIMIT 3"
    )
    host = await pool.fetchval(
        "SELECT host FROM host_info WHERE host_id IN (SELECT host_id FROM fetch_log) LIMIT 1"
    )
    page = (await api.get(f"/hosts/{host}?hours=168")).text

    assert 'id="requests-over-time"' in page
    assert 'data-chart="stack" data-for="requests-over-time"' in page


async def test_several_hosts_are_blocked_after_a_dry_run(api, crawl):
    both = "selected=site.test&selected=other.test"
    asked = (await api.get(f"/hosts/confirm?what=block&{both}", "admin")).text

    assert "Block 2 hosts?" in asked
    assert "1 queued URL will wait" in asked
    assert _hosts(await api.get("/hosts?blocked=true")) == set()
    await _form(api, "/hosts/block", selected=["site.test", "other.test"], reason="spring cleaning")
    assert _hosts(await api.get("/hosts?blocked=true")) == {"site.test", "other.test"}
    assert "Reset 2 hosts?" in (await api.get(f"/hosts/confirm?what=reset&{both}", "admin")).text
    await _form(api, "/hosts/reset", selected=["site.test", "nobody.test"])
    assert _hosts(await api.get("/hosts?blocked=true")) == {"other.test"}


async def test_a_user_looks_and_changes_nothing(api, crawl):
    page = (await api.get("/hosts/site.test")).text

    assert "/hosts/confirm" not in page
    for path in ("/hosts/reset", "/hosts/block", "/hosts/site.test/delay"):
        assert (await _form(api, path, "user", selected="site.test", reason="x")).status_code == 403
    assert (await api.get("/hosts/confirm?what=block")).status_code == 403
    assert _hosts(await api.get("/hosts?blocked=true")) == set()


async def test_an_unknown_host_is_not_found(api):
    assert (await api.get("/hosts/nobody.test")).status_code == 404
    assert "No host is known yet" in (await api.get("/hosts")).text


@pytest.mark.parametrize(
    ("asked_ms", "robots_s", "why"),
    [
        (None, None, "the default"),
        (None, 1.0, "its robots.txt asks for it"),
        (3_000, 1.0, "an administrator set it"),
        (1_000, 3.0, "its robots.txt asks for it"),
    ],
)
def test_the_reason_of_a_delay(asked_ms, robots_s, why):
    assert delay_words(1_000, 0, asked_ms, robots_s) == f"1 s between two requests: {why}"
    assert "0.5 s more" in delay_words(1_000, 500, asked_ms, robots_s)
