"""Pages that moved: where they end up, which addresses stay known, and what stops a chain."""

from datetime import UTC, datetime

import pytest
from structlog.testing import capture_logs
from tests.support.site import Answer, html, redirect
from tests.support.worker import paths, plain

from outrider.fetch.hops import RedirectPolicy
from outrider.sources.scope import ScopeKind
from outrider.urls import key_of


async def test_a_chain_ends_at_its_final_address(crawl, serve):
    site = serve({"/a": redirect("/b", 301), "/b": redirect("/c", 302), "/c": html("the page")})
    await crawl.seed(site.url + "a")
    await crawl.run()

    a, b, c = [await crawl.row(site.url + name) for name in "abc"]
    assert paths(site) == ["/a", "/b", "/c"]
    assert [(row["status"], row["http_status"]) for row in (a, b, c)] == [
        ("alias", 301),
        ("alias", 302),
        ("fetched", 200),
    ]
    assert (a["redirects_to"], b["redirects_to"]) == (site.url + "b", site.url + "c")
    assert await crawl.document(site.url + "a") is None
    assert await crawl.document(site.url + "c") is not None


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_every_redirect_status_is_followed(crawl, serve, status):
    site = serve({"/a": redirect("/b", status), "/b": html("the page")})
    await crawl.seed(site.url + "a")
    await crawl.run()

    assert await crawl.states() == {site.url + "a": "alias", site.url + "b": "fetched"}


async def test_an_old_address_is_not_asked_again(crawl, serve):
    site = serve({"/": html('<a href="/old">x</a>'), "/old": redirect("/new"), "/new": html("the page")})
    await crawl.seed(site.url)
    await crawl.run()
    await crawl.operator.requeue(site.url)
    await crawl.run()

    assert paths(site) == ["/", "/old", "/new", "/"]


@pytest.mark.parametrize(
    ("hops", "requests", "end"),
    [(5, 6, "fetched"), (6, 6, "dead: too_many_redirects"), (9, 6, "dead: too_many_redirects")],
)
async def test_a_chain_has_a_limit(crawl, serve, hops, requests, end):
    chain = {f"/{n}": redirect(f"/{n + 1}") for n in range(hops)}
    site = serve(chain | {f"/{hops}": html("the page")})
    await crawl.seed(site.url + "0")
    await crawl.run()

    states = await crawl.states()
    assert len(paths(site)) == requests == len(states)
    assert states[site.url + str(requests - 1)] == end


async def test_a_loop_is_called_one(crawl, serve):
    site = serve({"/a": redirect("/b"), "/b": redirect("/c"), "/c": redirect("/a")})
    await crawl.seed(site.url + "a")
    await crawl.run()

    assert paths(site) == ["/a", "/b", "/c"]
    assert await crawl.states() == {
        site.url + "a": "alias",
        site.url + "b": "alias",
        site.url + "c": "dead: redirect_loop",
    }


async def test_a_page_that_redirects_to_itself_is_a_loop(crawl, serve):
    site = serve({"/a": redirect("/a")})
    await crawl.seed(site.url + "a")
    await crawl.run()

    assert paths(site) == ["/a"]
    assert await crawl.states() == {site.url + "a": "dead: redirect_loop"}


async def test_a_redirect_that_fails_is_logged_with_its_reason(crawl, serve):
    """RDC-12."""
    site = serve({"/a": redirect("/a")})
    await crawl.seed(site.url + "a")
    with capture_logs() as logs:
        await crawl.run()

    [told] = [entry for entry in logs if entry["event"] == "redirect failed"]
    assert (told["reason"], told["url"]) == ("redirect_loop", site.url + "a")
    assert told["id"] == key_of(site.url + "a").hash


async def test_without_following_there_is_one_request(crawl, serve):
    crawl.set("fetch", follow_redirects=False)
    site = serve({"/a": redirect("/b"), "/b": html("the page")})
    await crawl.seed(site.url + "a")
    await crawl.run()

    assert paths(site) == ["/a"]
    assert await crawl.states() == {site.url + "a": "dead: redirect_not_followed"}


async def test_two_addresses_that_move_to_one_share_its_document(crawl, serve):
    site = serve({"/a": redirect("/c"), "/b": redirect("/c"), "/c": html("the page")})
    await crawl.seed(site.url + "a", site.url + "b")
    await crawl.run()

    assert sorted(paths(site)) == ["/a", "/b", "/c"]
    assert await crawl.states() == {
        site.url + "a": "alias",
        site.url + "b": "alias",
        site.url + "c": "fetched",
    }
    assert (await crawl.operator.totals()).others["documents"] == 1


async def test_two_hosts_that_move_to_one_at_the_same_time_share_its_document(crawl, serve):
    target = serve({"/page": html("the page")})
    away = redirect(target.url + "page")
    site = serve({"/a": away}, hosts=4)
    sources = [f"{origin}/a" for origin in site.origins[1:]]
    await crawl.seed(*sources, target.url, scope=ScopeKind.ANY)
    await crawl.run(workers=3)

    states = await crawl.states()
    assert [states[url] for url in sources] == ["alias"] * 3
    assert paths(target).count("/page") == 1
    assert states[target.url + "page"] == "fetched"


async def test_a_folder_that_wants_its_slash_gets_it_on_the_spot(crawl, serve):
    site = serve({"/dir": redirect("/dir/"), "/dir/": html("the folder")})
    await crawl.seed(site.url + "dir")
    await crawl.run()

    states = await crawl.states()
    assert paths(site) == ["/dir", "/dir/"]
    assert list(states.values()) == ["fetched"]


async def test_a_folder_whose_slash_robots_txt_disallows_is_not_requested(crawl, serve):
    """The rules match `/dir/` and not `/dir`, which is the same address here."""
    site = serve({"/dir": redirect("/dir/")}, robots=plain("User-agent: *\nDisallow: /dir/\n"))
    await crawl.seed(site.url + "dir")
    await crawl.run()

    assert paths(site) == ["/dir"]
    assert list((await crawl.states()).values()) == ["dead: robots_blocked"]


async def test_an_address_on_another_host_is_subject_to_its_rules(crawl, serve):
    target = serve(
        {"/open": html("a"), "/closed": html("b")},
        robots=plain("User-agent: *\nDisallow: /closed\n"),
        hosts=2,
    )
    other = target.origins[1]
    site = serve({"/1": redirect(f"{other}/open"), "/2": redirect(f"{other}/closed")})
    await crawl.seed(site.url + "1", site.url + "2", scope=ScopeKind.ANY)
    await crawl.run()

    assert [asked.path for asked in target.log()] == ["/robots.txt", "/open"]
    assert await crawl.states() == {
        site.url + "1": "alias",
        site.url + "2": "alias",
        f"{other}/open": "fetched",
        f"{other}/closed": "dead: robots_blocked",
    }


@pytest.mark.parametrize(
    ("location", "reason"),
    [
        ("", "invalid_redirect"),
        ("mailto:a@b.test", "invalid_redirect"),
        ("http://[broken", "invalid_redirect"),
        ("http://elsewhere.test/", "redirect_out_of_scope"),
    ],
)
async def test_a_redirect_that_leads_nowhere_we_go_ends_there(crawl, serve, location, reason):
    site = serve({"/a": redirect(location)})
    await crawl.seed(site.url + "a")
    await crawl.run()

    assert await crawl.states() == {site.url + "a": f"dead: {reason}"}


async def test_by_another_policy_the_old_address_dies_and_the_new_one_is_submitted(crawl, serve):
    crawl.set("fetch", redirect_policy=RedirectPolicy.DEAD_AND_SUBMIT)
    site = serve({"/a": redirect("/b"), "/b": html("the page")})
    await crawl.seed(site.url + "a")
    await crawl.run()

    assert await crawl.states() == {site.url + "a": "dead: redirect", site.url + "b": "fetched"}


async def test_every_hop_is_reported_with_its_addresses_status_and_time(crawl, serve):
    """RDC-15: on one host, to another host, and where it is not followed."""
    target = serve({"/page": html("the page")}, hosts=2)
    away = f"{target.origins[1]}/page"
    site = serve(
        {"/a": redirect("/b", 301), "/b": redirect(away, 307), "/c": redirect("mailto:a@b.test", 302)}
    )
    began = datetime.now(UTC)
    await crawl.seed(site.url + "a", site.url + "c", scope=ScopeKind.ANY)
    await crawl.run()
    ended = datetime.now(UTC)

    hops = await crawl.operator.run(lambda db: db.fetch("SELECT * FROM redirect_hops ORDER BY from_url"))
    told = [(hop["from_url"], hop["to_url"], hop["status"], hop["permanent"], hop["times"]) for hop in hops]
    assert told == [
        (site.url + "a", site.url + "b", 301, True, 1),
        (site.url + "b", away, 307, False, 1),
        (site.url + "c", "mailto:a@b.test", 302, False, 1),
    ]
    assert all(began <= hop["first_seen_at"] <= hop["at"] <= ended for hop in hops)
    assert hops[0]["at"] < hops[1]["at"], "each has the time of its own answer"


async def test_a_hop_met_again_is_one_hop_with_its_first_and_last_time(crawl, serve):
    site = serve(
        {"/a": [redirect("/b", 302), redirect("/b", 302), redirect("/c", 302)], "/b": html("the page")}
    )
    await crawl.seed(site.url + "a")
    await crawl.run()
    for _ in range(2):
        await crawl.pass_days(1)
        await crawl.operator.requeue(site.url + "a")
        await crawl.run()

    hops = await crawl.operator.run(lambda db: db.fetch("SELECT * FROM redirect_hops ORDER BY to_url"))
    assert [(hop["to_url"], hop["times"], (hop["at"] - hop["first_seen_at"]).days) for hop in hops] == [
        (site.url + "b", 2, 1),
        (site.url + "c", 1, 0),
    ]


async def test_a_spelling_the_server_prefers_is_a_hop_like_any_other(crawl, serve):
    site = serve({"/dir": redirect("/dir/", 301), "/dir/": html("the folder")})
    await crawl.seed(site.url + "dir")
    await crawl.run()

    [hop] = await crawl.operator.run(lambda db: db.fetch("SELECT from_url, status FROM redirect_hops"))
    assert tuple(hop) == (site.url + "dir", 301)


@pytest.mark.parametrize(
    ("end", "state", "error", "failures"),
    [
        pytest.param(Answer(status=404), "dead", "not_found", 0, id="dead at once"),
        pytest.param(Answer(status=503), "pending", "http_503", 1, id="tried again"),
        pytest.param(Answer(status=403), "pending", "forbidden", 1, id="forbidden is tried again, too"),
        pytest.param(redirect("/5"), "dead", "redirect_loop", 0, id="a loop is called one"),
        pytest.param(redirect("/6"), "dead", "too_many_redirects", 0, id="the limit"),
    ],
)
async def test_at_the_end_of_a_chain_every_error_keeps_its_own_message(
    crawl, serve, end, state, error, failures
):
    """RDC-11: the fifth hop is the last; what comes of it is judged like any other answer."""
    chain = {f"/{n}": redirect(f"/{n + 1}") for n in range(5)}
    site = serve(chain | {"/5": end})
    await crawl.seed(site.url + "0")
    await crawl.run()

    last = await crawl.row(site.url + "5")
    assert (last["status"], last["last_error"], last["retry_count"]) == (state, error, failures)
    assert paths(site) == [f"/{n}" for n in range(6)]
    assert (
        await crawl.operator.run(
            lambda db: db.fetchval(
                "SELECT count(*) FROM url_frontier WHERE status = 'alias' AND last_error IS NULL"
            )
        )
        == 5
    )


async def test_a_canonical_address_is_stored_and_moves_nothing(crawl, serve):
    """RDC-17."""
    head = '<link rel="canonical" href="/the-real-one"><title>A</title>'
    site = serve({"/a": html(head), "/the-real-one": html("a page of its own")})
    await crawl.seed(site.url + "a")
    await crawl.run()

    assert await crawl.states() == {site.url + "a": "fetched", site.url + "the-real-one": "fetched"}
    assert (await crawl.document(site.url + "a"))["canonical_url"] == site.url + "the-real-one"


async def test_hops_have_their_history(crawl, serve):
    site = serve({"/a": redirect("/b"), "/b": Answer(status=404)})
    await crawl.seed(site.url + "a")
    await crawl.run()

    rows = await crawl.operator.run(
        lambda db: db.fetch(
            "SELECT u.url, l.outcome, l.http_status FROM fetch_log l JOIN url u USING (host_id, url_hash) "
            "WHERE u.kind = 0 ORDER BY l.at"
        )
    )
    assert [(row["url"], row["outcome"].split()[0], row["http_status"]) for row in rows] == [
        (site.url + "a", "redirected", 301),
        (site.url + "b", "rejected", 404),
    ]


async def test_two_queued_pages_that_redirect_to_each_other_are_a_loop(crawl, serve):
    site = serve({"/a": redirect("/b"), "/b": redirect("/a")})
    await crawl.seed(site.url + "a", site.url + "b")
    await crawl.run()

    assert sorted(paths(site)) == ["/a", "/b"]
    assert await crawl.states() == {
        site.url + "a": "dead: redirect_loop",
        site.url + "b": "dead: redirect_loop",
    }
