"""Automatic redirects without visitors go after 90 days; all others stay."""

from tests.support.sites import ALL, SiteOwner

from outrider.coordination.terms import Terms
from outrider.db.reconnecting import ReconnectingConnection
from outrider.redirects.pruning import prune_all
from outrider.scheduler.leader import ELECTION, duties
from outrider.services.sites.redirects import list_changes
from outrider.services.sites.reports import report_hits
from outrider.settings import load


async def test_only_automatic_redirects_without_a_hit_that_are_old_are_pruned(shop: SiteOwner, database: str):
    await shop.has_pages("/renamed", "/renamed-hit", "/renamed-young", "/deleted")
    await shop.tell("renamed", "/renamed", "/a")
    await shop.tell("renamed", "/renamed-hit", "/b")
    await shop.tell("renamed", "/renamed-young", "/c")
    await shop.tell("deleted", "/deleted")
    await shop.create("/by-hand", "/a")
    await shop.has_pages("/red-leather-shoe")
    await shop.saw(x__red_leather_shoe=1)
    await shop.missed("/x/red-leather-shoe")
    await report_hits(shop.db, shop.name, {"/renamed-hit": 1})
    await shop.db.execute(
        "UPDATE site_redirect SET created_at = now()"
        " - CASE from_path WHEN '/renamed-young' THEN 89 ELSE 91 END * interval '1 day'"
    )
    connection = ReconnectingConnection(database, application_name="test")

    removed = await prune_all(connection)
    await connection.close()

    assert removed == 2
    assert set(await shop.redirects()) == {
        "/renamed-hit",
        "/renamed-young",
        "/by-hand",
        "/x/red-leather-shoe",
    }
    audit = (await list_changes(shop.db, shop.name, ALL)).items
    assert {line.from_path for line in audit if line.done_by == "weekly pruning"} == {"/renamed", "/deleted"}


async def test_the_leader_prunes_redirects_every_week(shop: SiteOwner, database: str):
    await shop.has_pages("/old")
    await shop.tell("renamed", "/old", "/new")
    await shop.db.execute("UPDATE site_redirect SET created_at = now() - interval '91 days'")
    connection = ReconnectingConnection(database, application_name="test")
    term = await Terms(connection, ELECTION).begin(0, "me")
    tasks = {each.name: each for each in duties(load({}).settings, connection, term)}

    await tasks["prune redirects"].run()
    await connection.close()

    assert await shop.redirects() == {}
    assert tasks["prune redirects"].every_s == 7 * 86_400
