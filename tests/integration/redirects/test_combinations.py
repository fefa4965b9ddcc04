"""Features that meet: renames and manual redirects, imports and loops, removals and queues."""

import asyncpg
import pytest
from tests.support.sites import ALL, OWNER, SiteOwner

from outrider.errors import Conflict
from outrider.redirects.broken_store import BrokenStatus
from outrider.redirects.formats.registry import RedirectFormat
from outrider.services.sites.broken_urls import list_broken, resolve_broken
from outrider.services.sites.content import list_paths
from outrider.services.sites.content_links import count_dead_links, save_site_field
from outrider.services.sites.links import (
    StoredLinkFilter,
    ignore_link,
    link_counts,
    list_site_links,
)
from outrider.services.sites.redirect_files import import_redirects
from outrider.services.sites.sites import find_site, list_site_badges, remove_site
from outrider.sites.model import LivePath, PathKind


async def live(shop: SiteOwner) -> set[str]:
    return {page.path for page in (await list_paths(shop.db, shop.name, ALL)).items if page.is_visible}


async def test_a_rename_back_over_a_manual_redirect_leaves_one_hop_and_no_loop(shop: SiteOwner):
    await shop.has_pages("/a")
    await shop.tell("renamed", "/a", "/b")
    await shop.create("/campaign", "/a", 302)
    assert await shop.redirects() == {"/a": "/b", "/campaign": "/b"}

    await shop.tell("renamed", "/b", "/a")

    assert await shop.redirects() == {"/b": "/a", "/campaign": "/a"}
    assert await live(shop) == {"/a"}
    with pytest.raises(Conflict, match="live page"):
        await shop.create("/a", "/campaign")


async def test_a_manual_redirect_from_the_old_path_wins_until_the_page_returns(shop: SiteOwner):
    await shop.has_pages("/a", "/sale")
    await shop.tell("renamed", "/a", "/b")
    await shop.edit("/a", "/sale")
    await shop.tell("renamed", "/b", "/c")
    assert await shop.redirects() == {"/a": "/sale", "/b": "/c"}

    await shop.tell("renamed", "/c", "/a")

    assert await shop.redirects() == {"/b": "/a", "/c": "/a"}


async def test_a_collection_that_is_deleted_leaves_its_items_and_their_deletion_follows_it(shop: SiteOwner):
    await shop.has_pages(
        "/all",
        LivePath("/shoes", PathKind.COLLECTION, parent="/all"),
        LivePath("/shoes/red", parent="/shoes"),
        LivePath("/shoes/blue", parent="/shoes"),
    )
    await shop.tell("deleted", "/shoes")
    assert await shop.redirects() == {"/shoes": "/all"}
    assert await live(shop) == {"/all", "/shoes/red", "/shoes/blue"}, "the CMS tells about each item itself"

    await shop.tell("deleted", "/shoes/red")

    assert await shop.redirects() == {"/shoes": "/all", "/shoes/red": "/all"}
    await shop.tell("created", "/shoes")
    assert await shop.redirects() == {"/shoes/red": "/all"}


@pytest.mark.parametrize("replaces", [False, True])
async def test_an_import_that_would_build_a_loop_is_refused_row_by_row(shop: SiteOwner, replaces: bool):
    await shop.has_pages("/live")
    await shop.create("/a", "/b")
    rows = "/b,/a,301\n/c,/c/,301\n/live,/x,301\n/,/b,301\n/d,/e,301\n/e,/d,301\n/f,/a,301\n"

    done = await import_redirects(shop.db, shop.name, rows, RedirectFormat.CSV, OWNER, replaces=replaces)

    assert [each.from_path for each in done.refused_rows] == ["/b", "/c", "/live", "/", "/e"]
    assert await shop.redirects() == {"/a": "/b", "/d": "/e", "/f": "/b"}


async def test_deleting_the_redirect_of_a_url_that_was_resolved_by_hand_reopens_it(shop: SiteOwner):
    await shop.saw(lost=7)
    await shop.missed("/lost")
    [row] = (await list_broken(shop.db, shop.name, ALL)).items
    done = await resolve_broken(shop.db, shop.name, row.broken_id, "/new", OWNER)

    await shop.remove(str(done.resolved_redirect_id))

    [again] = (await list_broken(shop.db, shop.name, ALL)).items
    assert (again.status, again.resolved_redirect_id, again.prior_analytics_hits) == (
        BrokenStatus.PENDING,
        None,
        7,
    )


async def test_a_link_that_is_ignored_in_one_field_still_counts_in_another(shop: SiteOwner):
    await shop.has_pages("/")
    site = await find_site(shop.db, shop.name)
    [one] = (await save_site_field(shop.db, site, "nav", ["/none"])).links
    await save_site_field(shop.db, site, "footer", ["/none"])
    assert await count_dead_links(shop.db) == 2

    await ignore_link(shop.db, site.site_id, one.link_id)

    counts = await link_counts(shop.db, site.site_id)
    assert (counts.dead, counts.ignored, await count_dead_links(shop.db)) == (1, 1, 1)
    [badge] = (await list_site_badges(shop.db, ALL)).items
    assert badge.dead_links == 1
    shown = (await list_site_links(shop.db, site.site_id, StoredLinkFilter(), ALL)).items
    assert [link.source_key for link in shown] == ["footer"]
    await save_site_field(shop.db, site, "nav", ["/none", "/"])
    assert await count_dead_links(shop.db) == 1, "saving the field again keeps the decision"


async def test_an_event_that_comes_again_changes_nothing_even_after_the_page_moved_on(shop: SiteOwner):
    await shop.has_pages("/a")
    await shop.tell("renamed", "/a", "/b", event_id="e-1")
    await shop.tell("renamed", "/b", "/c", event_id="e-2")
    before = await shop.redirects()

    for event_id, old, new in (("e-1", "/a", "/b"), ("e-2", "/b", "/c"), ("e-1", "/x", "/y")):
        assert (await shop.tell("renamed", old, new, event_id=event_id)).is_duplicate

    assert (await shop.redirects(), await live(shop)) == (before, {"/c"})


async def test_a_site_that_is_removed_leaves_nothing_behind(shop: SiteOwner, db: asyncpg.Connection):
    other = await SiteOwner.register(db, "other")
    await other.has_pages("/kept")
    await shop.has_pages("/a")
    await shop.tell("renamed", "/a", "/b", event_id="e-1")
    await shop.saw(lost=1)
    await shop.missed("/lost")
    site = await find_site(db, shop.name)
    await save_site_field(db, site, "nav", ["/none", "https://a.test/x"])

    await remove_site(db, shop.name)

    tables = await db.fetch(
        "SELECT DISTINCT c.table_name FROM information_schema.columns c"
        " JOIN information_schema.tables t ON t.table_name = c.table_name AND t.table_type = 'BASE TABLE'"
        " WHERE c.column_name = 'site_id' AND c.table_schema = 'public'"
    )
    assert len(tables) >= 10
    for table in tables:
        name = table["table_name"]
        assert await db.fetchval(f"SELECT count(*) FROM {name} WHERE site_id = $1", site.site_id) == 0, name
    assert await other.redirects() == {}
