"""Exports with a version, and imports that keep the rules."""

import pytest
from tests.support.sites import SiteOwner

from outrider.errors import NotFound
from outrider.redirects.formats.registry import RedirectFormat
from outrider.services.sites.redirect_files import export_redirects, import_redirects


async def test_an_export_has_an_etag_that_changes_with_the_table(shop: SiteOwner):
    await shop.create("/a", "/b")
    first = await export_redirects(shop.db, shop.name, RedirectFormat.JSON)
    same = await export_redirects(shop.db, shop.name, RedirectFormat.JSON, first.etag)
    await shop.create("/c", "/d")
    other = await export_redirects(shop.db, shop.name, RedirectFormat.JSON, first.etag)
    await shop.set(lowercase_paths=False)
    settings = await export_redirects(shop.db, shop.name, RedirectFormat.JSON, other.etag)

    assert first.file is not None
    assert (same.file, same.etag) == (None, first.etag)
    assert other.file is not None
    assert settings.file is not None
    with pytest.raises(NotFound):
        await export_redirects(shop.db, "nope", RedirectFormat.JSON)


async def test_an_import_keeps_the_rules_and_names_what_it_refuses(shop: SiteOwner):
    await shop.has_pages("/live")
    await shop.create("/x", "/a")
    rows = [
        "/a,/b,301",
        "/b,/a,301",
        "/live,/b,301",
        "/c,//evil.test,301",
        "/d,/a,302",
        "/,/b,301",
        "/x,/b,301",
    ]
    text = "from_path,to,status\n" + "\n".join(rows)

    result = await import_redirects(shop.db, shop.name, text, RedirectFormat.CSV, "owner")

    assert await shop.redirects() == {"/a": "/b", "/x": "/b", "/d": "/b"}
    assert (result.created, result.changed, result.unchanged, result.refused) == (2, 0, 1, 4)
    assert [row.line for row in result.refused_rows] == [3, 4, 5, 7]


async def test_an_import_can_replace_and_can_be_tried(shop: SiteOwner):
    await shop.create("/a", "/b")
    text = '{"redirects": [{"from_path": "/a", "to": "/c"}]}'

    tried = await import_redirects(
        shop.db, shop.name, text, RedirectFormat.JSON, "owner", replaces=True, dry_run=True
    )
    assert (tried.changed, await shop.redirects()) == (1, {"/a": "/b"})
    await import_redirects(shop.db, shop.name, text, RedirectFormat.JSON, "owner", replaces=True)

    assert await shop.redirects() == {"/a": "/c"}


async def test_a_large_import_is_one_transaction(shop: SiteOwner):
    text = "from_path,to\n" + "".join(f"/old/{n},/new/{n % 100}\n" for n in range(20_000))

    result = await import_redirects(shop.db, shop.name, text, RedirectFormat.CSV, "owner")

    assert result.created == 20_000
    assert await shop.db.fetchval("SELECT count(*) FROM site_redirect") == 20_000
    assert await shop.db.fetchval("SELECT max(version) - 1 FROM site_redirect_table") == 1
