"""`outrider source`, from a site nobody knows to a list that others can read."""

from functools import partial

import asyncpg
import pytest
from tests.support.command import outrider_here, outrider_here_meanwhile, outrider_meanwhile
from tests.support.newsroom import Answer, MovableClock, Newsroom
from tests.support.publications import alternate, moved, page, rss

from outrider.demo import demo_site


@pytest.fixture
async def run(database):
    return partial(outrider_here_meanwhile, settings={"OUTRIDER_DATABASE_URL": database})


@pytest.fixture
async def site():
    async with demo_site() as site:
        yield site


async def test_a_site_is_watched_by_its_address_alone(run, site):
    said = await run("source", "add", site.url)

    assert said.code == 0, said.err
    assert f"{site.url}feeds/rss (the page names it; 12 entries)" in said.out
    assert f"{site.url}sitemap.xml (robots.txt names it;" in said.out
    assert "The Alderford Courier is watched from now on, in mode feed." in said.out

    shown = (await run("source", "show", "the alderford courier", "--json")).json
    assert (shown["url"], shown["mode"], shown["enabled"]) == (site.url, "feed", True)
    assert {channel["url"] for channel in shown["channels"]} == {
        f"{site.url}feeds/rss",
        f"{site.url}feeds/atom",
        f"{site.url}sitemap.xml",
    }
    assert all(channel["next_poll_at"] for channel in shown["channels"])
    assert shown["pending"] == 3


async def test_a_dry_run_finds_the_same_and_changes_nothing(run, site, tmp_path):
    nowhere = {"OUTRIDER_DATA": str(tmp_path / "data")}
    said = await run("source", "add", site.url, "--dry-run", "--json")

    assert (said.code, said.json["added"], said.json["dry_run"]) == (0, False, True)
    assert said.json["found"]["feeds"][0]["found_by"] == "alternate"
    assert (await run("source", "list", "--json")).json == {"total": 0, "sources": []}

    dry = await outrider_here_meanwhile("source", "add", site.url, "--dry-run", settings=nowhere)
    assert dry.code == 0
    assert not (tmp_path / "data").exists(), "a dry run makes no database either"


def test_where_nothing_is_watched_yet_a_list_says_so_and_makes_no_database(tmp_path):
    nowhere = {"OUTRIDER_DATA": str(tmp_path / "data")}

    assert "Nothing is watched yet." in outrider_here("source", "list", settings=nowhere).out
    assert "No watched source matches." in outrider_here("source", "list", "--failing", settings=nowhere).out
    assert not (tmp_path / "data").exists()


async def test_a_list_that_another_program_keeps_is_imported_by_its_address(run):
    """SRC-16."""
    listed = '{"total": 1, "sources": [{"name": "Blatt", "url": "https://blatt.test/", "max_depth": 2}]}'
    headers = {"Content-Type": "application/json"}
    async with Newsroom(MovableClock()) as room:
        room.publish("/robots.txt", Answer(404))
        url = room.publish("/api/sources", Answer(200, listed.encode(), headers))
        assert (await run("source", "import", url)).out == "1 row: 1 added.\n"

        room.publish("/api/sources", Answer(503))
        down = await run("source", "import", url)

    assert down.code == 1
    assert "the sources stay as they are" in down.err
    assert (await run("source", "list", "--json")).json["total"] == 1


async def test_a_site_without_a_feed_is_walked(run, site):
    said = await run("source", "add", site.other_url, "--json")

    assert (said.code, said.json["mode"], said.json["feeds"]) == (0, "spider", [])
    assert "the page points to no feed" in said.json["found"]["notes"]


async def test_a_site_without_https_is_found_by_its_bare_name(run, site, database):
    bare = f"courier.test:{site.url.rsplit(':')[-1]}"
    settings = {"OUTRIDER_DATABASE_URL": database, "OUTRIDER_RESOLVE": "*.test=127.0.0.1"}

    said = await run("source", "add", bare, "--json", settings=settings)
    insisted = await run("source", "add", f"https://{bare}", "--force", "--dry-run", settings=settings)

    assert (said.code, said.json["url"]) == (0, f"http://{bare}")
    assert "could not be read" in insisted.out, "who writes a scheme means it"


async def test_a_site_that_does_not_answer_is_added_only_by_whoever_insists(run):
    nobody = "http://127.0.0.1:9/"

    refused = await run("source", "add", nobody)
    assert refused.code == 1
    assert "name its --feed, or use --force to add it anyway" in refused.err

    added = await run("source", "add", nobody, "--force", "--json")
    assert (added.code, added.json["name"], added.json["source_id"]) == (0, "127.0.0.1", 2)

    again = await run("source", "add", nobody, "--feed", f"{nobody}feed")
    assert again.code == 1
    assert "is watched already, as '127.0.0.1'" in again.err


@pytest.mark.parametrize(("mode", "code"), [("spider", 1), ("both", 1), ("feed", 0)])
async def test_a_site_that_leads_elsewhere_is_walked_only_by_whoever_insists(run, mode, code):
    """RDC-18: the look at the start page tells; announced pages may be anywhere."""
    async with Newsroom(MovableClock(), sites=2) as room:
        target = room.publish("/", page("Another site", head=alternate("/feed")), site=1)
        room.publish("/feed", rss([("/a", None)]), site=1)
        front = room.publish("/", moved(target))
        said = await run("source", "add", front, "--mode", mode)
        forced = await run("source", "add", front, "--mode", mode, "--force", "--name", "forced")

    assert (said.code, forced.code) == (code, 0)
    told = f"{front} redirects to {target}, out of its scope, so no link could be followed"
    assert (told in " ".join(said.err.split())) is (code == 1)


async def test_a_site_that_is_watched_already_is_not_asked_again(run, site):
    await run("source", "add", site.url)
    asked = len(site.requests)

    again = await run("source", "add", site.url)

    assert again.code == 1
    assert len(site.requests) == asked
    assert "is watched already, as 'The Alderford Courier'" in again.err


async def test_a_source_from_its_first_day_to_its_last(run):
    add = ("source", "add", "https://blatt.test/", "--feed", "https://blatt.test/feed", "--delay", "soon")
    added = await run(*add, "--name", "Das Blatt")
    assert "delay: 'soon' is not a duration: write 30s, 15m, 6h or 7d; taking 1s" in added.err

    edited = await run("source", "edit", "blatt.test", "--mode", "both", "--poll", "5m", "--delay", "default")
    assert edited.out == "Das Blatt: mode, delay, poll changed.\n"

    disabled = await run("source", "disable", "Das Blatt", "--reason", "moved away")
    assert disabled.out == "Das Blatt is disabled.\n"
    assert "disabled: moved away" in (await run("source", "list", "--disabled")).out

    assert (await run("source", "enable", "Das Blatt")).out == "Das Blatt is enabled.\n"
    shown = (await run("source", "show", "Das Blatt")).out
    assert "https://blatt.test/feed" in shown
    assert "fine" in shown

    assert (
        await run("source", "remove", "Das Blatt", stdin=b"n\n")
    ).out == "Stop watching Das Blatt? [y/N]: "
    assert (await run("source", "remove", "Das Blatt", "--yes")).out == "Das Blatt is removed.\n"
    gone = await run("source", "show", "Das Blatt")
    assert (gone.code, gone.err) == (1, "outrider: no source is called 'Das Blatt'\n")


async def test_a_list_goes_in_with_a_report_and_comes_out_again(run, tmp_path):
    table = tmp_path / "sites.csv"
    table.write_text("Name;Website;RSS\nA;a.test;https://a.test/feed\nB;nowhere;\n")

    dry = await run("source", "import", str(table), "--dry-run", "--json")
    assert (dry.json["added"], dry.json["refused"], dry.json["dry_run"]) == (1, 1, True)

    said = await run("source", "import", str(table))
    assert said.code == 1
    assert "url: 'nowhere' is no web address (it has no scheme): write https://example.com" in said.out
    assert "2 rows: 1 added, 1 refused." in said.out

    await run("source", "export", "-o", str(tmp_path / "out.csv"))
    assert (tmp_path / "out.csv").read_text().startswith("name,url,"), "the name of the file says how"

    opml = await run("source", "export")
    again = await run("source", "import", "-", stdin=opml.out.encode())
    assert (again.code, again.out) == (0, "1 row: 1 unchanged.\n")


async def test_a_trial_says_where_everything_came_from_and_keeps_nothing(run, site, tmp_path):
    page = f"{site.url}river/ferry-returns"
    selectors = tmp_path / "selectors.json"
    selectors.write_text('{"article": {"title": "h1"}}')

    said = await run("source", "test", page, "--selectors", str(selectors), "--json")

    assert said.code == 0, said.err
    assert said.json["page_type"] == "article"
    assert said.json["fields"]["title"]["from"] == "selector article.title"
    assert said.json["words"] > 50

    nothing = await run("source", "test", f"{site.url}missing-page-of-the-demo", "--json")
    assert (nothing.code, nothing.json["status"], nothing.json["reason"]) == (1, 404, "not_found")
    assert (await run("source", "list", "--json")).json["total"] == 0


async def test_selectors_are_proposed_shown_and_kept_on_request(run, site):
    """SRC-15."""
    page = f"{site.url}river/ferry-returns"
    added = await run("source", "add", site.url, "--selectors", "auto", "--json")
    proposed = added.json["selectors"]
    assert proposed["article"]["body"] == "article.reading"

    looked = await run("source", "test", page, "--propose", "--template", "ghost", "--json")
    assert looked.json["proposal"]["article"].keys() >= {"title", "body"}
    assert (await run("source", "show", site.url, "--json")).json["selectors"] == proposed, "nothing was kept"

    saved = await run("source", "test", page, "--save", "--json")
    assert "is read by these selectors from now on" in saved.err
    assert saved.json["proposal"] == proposed


def test_feeds_are_added_disabled_and_dropped_one_by_one(database):
    run = partial(outrider_here, settings={"OUTRIDER_DATABASE_URL": database})
    run("source", "add", "https://blatt.test/", "--feed", "https://blatt.test/feed", "--name", "Blatt")

    added = run("source", "feeds", "Blatt", "--sitemap", "https://blatt.test/s.xml", "--json")
    assert [(each["kind"], each["url"]) for each in added.json["channels"]] == [
        ("feed", "https://blatt.test/feed"),
        ("sitemap", "https://blatt.test/s.xml"),
    ]

    assert run("source", "feeds", "Blatt", "--disable", "1").code == 2, "it needs a reason"
    off = run("source", "feeds", "Blatt", "--disable", "1", "--reason", "only comments")
    assert "disabled: only comments" in off.out
    on = run("source", "feeds", "Blatt", "--enable", "https://blatt.test/feed", "--drop", "2", "--json")
    assert [(each["channel_id"], each["disabled_at"]) for each in on.json["channels"]] == [(1, None)]

    wrong = run("source", "feeds", "Blatt", "--drop", "7")
    assert (wrong.code, "there is 1 (https://blatt.test/feed)" in wrong.err) == (1, True)


async def test_a_watch_says_which_sources_do_not_obey_robots_txt(run, site, database):
    """ROB-11."""
    await run("source", "add", site.url, "--feed", f"{site.url}feeds/rss", "--name", "mine")
    db = await asyncpg.connect(database)
    await db.execute("UPDATE source SET policy = policy || '{\"ignore_robots\": true}' WHERE name = 'mine'")
    await db.close()
    settings = {"OUTRIDER_DATABASE_URL": database, "OUTRIDER_FEED_DISCOVERY": "no"}
    watch = ("watch", "--once", "--workers", "1")
    for_programs = await outrider_meanwhile(*watch, "--json", settings=settings)
    for_people = await outrider_meanwhile(*watch, settings=settings)

    begun, *_, summary = for_programs.lines
    told = "robots.txt is not obeyed for 1 source (mine)"
    assert told in begun["robots_notice"]
    assert (summary["robots_obeyed"], told in summary["robots_notice"]) == (False, True)
    assert f"outrider: WARNING: {told}" in for_people.err
    assert told in " ".join(for_people.out.split())


async def test_a_watch_says_what_it_came_to(run, site, database):
    """EXT-16, SPI-16."""
    feed = f"{site.url}feeds/rss"
    await run("source", "add", site.url, "--feed", feed)

    # Its robots.txt names a sitemap, which would be found, and polled, if this took long enough.
    settings = {"OUTRIDER_DATABASE_URL": database, "OUTRIDER_FEED_DISCOVERY": "no"}
    said = await outrider_meanwhile("watch", "--once", "--json", "--workers", "1", settings=settings)

    assert said.code == 0, said.err
    summary = said.lines[-1]
    assert (summary["event"], summary["polls"], summary["pages"]) == ("summary", 1, 12)
    assert summary["metrics"] == {
        "items_crawled": 12,
        "items_indexed": 12,
        "extraction_quality": {"empty_title": 0, "empty_body": 0},
    }
    articles = (await run("source", "news", "--json")).json["articles"]
    assert {(each["source"], each["way"]) for each in articles} == {("127.0.0.1", "feed")}
    shown = (await run("source", "news", "--limit", "1")).out
    assert articles[0]["title"] in shown
    assert articles[0]["url"] in shown
