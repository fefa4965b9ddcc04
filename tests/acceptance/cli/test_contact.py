"""Nothing on the public web is asked unless its user says whom a site's owner may ask (SEC-01)."""

import asyncio

import asyncpg
import pytest
from tests.support.command import outrider, outrider_here
from tests.support.site import Plan, Site, html

PUBLIC = "https://example.com/"
MINE = "crawl@blatt.de"


@pytest.mark.parametrize(
    "command",
    [
        ("crawl", PUBLIC),
        ("crawl", "http://127.0.0.1:9/", PUBLIC),
        ("fetch", PUBLIC),
        ("source", "add", PUBLIC),
        ("source", "test", PUBLIC),
        ("source", "import", PUBLIC + "list.csv"),
        ("robots", "example.com", "--fetch"),
    ],
    ids=lambda command: " ".join(command[:2]),
)
def test_a_public_site_is_refused_before_anything_happens(command, tmp_path):
    ran = outrider_here(*command, settings={"OUTRIDER_DATA": str(tmp_path / "data")})

    assert (ran.code, ran.out) == (2, "")
    assert "example.com" in ran.err
    assert "--contact" in ran.err
    assert "OUTRIDER_CONTACT" in ran.err
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"OUTRIDER_USER_AGENT": "Mine/1"}, "OUTRIDER_USER_AGENT names no contact"),
        ({"OUTRIDER_CONTACT": "you@example.com"}, "'you@example.com' is an example and not a contact"),
        ({"OUTRIDER_USER_AGENT": "Mine/1 (+https://my.example/)"}, "is an example and not a contact"),
    ],
)
def test_the_refusal_says_what_is_wrong(settings, told):
    ran = outrider_here("fetch", PUBLIC, settings=settings)

    assert ran.code == 2
    assert told in ran.err


def test_a_watch_of_a_public_source_is_refused(database):
    settings = {"OUTRIDER_DATABASE_URL": database}
    feed = PUBLIC + "feed.xml"
    outrider_here("source", "add", PUBLIC, "--feed", feed, settings=settings)
    ran = outrider_here("watch", "--once", settings=settings)

    assert ran.code == 2
    assert "https://example.com/ is on the public web" in ran.err
    assert asyncio.run(_requests(database)) == 0


def test_own_hosts_need_no_contact_and_get_one_that_is_set(tmp_path):
    with Site.start(tmp_path, Plan(pages=1)) as site:
        name = f"http://shop.test:{site.port}/"
        mapped = {"OUTRIDER_RESOLVE": "shop.test=127.0.0.2"}
        codes = [outrider_here("fetch", url, settings=mapped).code for url in (site.url, name)]
        outrider_here("fetch", site.url, "--contact", MINE)
        agents = [asked.headers.get("User-Agent", "") for asked in site.log() if asked.path == "/"]

    assert codes == [0, 0]
    assert agents[-1].endswith(f"(+{MINE})")


def test_a_link_from_a_host_of_ones_own_does_not_lead_to_the_public_web(database, tmp_path):
    """With --scope any the crawl itself would go anywhere."""
    page = '<a href="http://93.184.216.34/">out</a>'
    with Site.start(tmp_path, Plan(pages=1, answers={"/": [html(page)]})) as site:
        arguments = ("crawl", site.url, "--scope", "any", "--workers", "1", "--json")
        ran = outrider(*arguments, settings={"OUTRIDER_DATABASE_URL": database})

    assert ran.code == 0
    assert ran.lines[-1]["dead"]["no_contact"]["examples"] == ["http://93.184.216.34/"]


async def _requests(database: str) -> int:
    db = await asyncpg.connect(database)
    requests: int = await db.fetchval("SELECT count(*) FROM fetch_log")
    await db.close()
    return requests
