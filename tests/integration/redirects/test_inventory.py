"""What the inventory keeps about a page, and what another upload changes."""

from tests.support.sites import SiteOwner

from outrider.sites.model import LivePath, PathKind

ROWS = "SELECT path, kind, slug, title, parent, is_visible, status FROM site_path ORDER BY site_id, path"


async def test_a_page_is_kept_with_all_its_fields_and_brought_up_to_date(shop: SiteOwner):
    other = await SiteOwner.register(shop.db, "other")
    await other.has_pages("/shoes/red-shoe")
    first = LivePath("/Shoes/Red-Shoe/", PathKind.ITEM, "Red shoe", "/Shoes/", True, "published")
    await shop.has_pages(first)
    untouched = ("/shoes/red-shoe", "item", "red-shoe", "", None, True, "")
    stored = ("/shoes/red-shoe", "item", "red-shoe", "Red shoe", "/shoes", True, "published")
    assert {*map(tuple, await shop.db.fetch(ROWS))} == {untouched, stored}
    written = "SELECT updated_at FROM site_path WHERE title <> ''"
    before = await shop.db.fetchval(written)

    await shop.has_pages(LivePath("/shoes/red-shoe", PathKind.STATIC, "Crimson", "/", False, "draft"))

    changed = ("/shoes/red-shoe", "static", "red-shoe", "Crimson", "/", False, "draft")
    assert {*map(tuple, await shop.db.fetch(ROWS))} == {untouched, changed}
    assert await shop.db.fetchval(written) > before
