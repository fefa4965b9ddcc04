"""Owned sites, their settings and their keys."""

import asyncpg
import pytest
from tests.support.sites import ALL, SiteOwner

from outrider.errors import Conflict, InvalidInput, NotFound
from outrider.services.sites.sites import (
    SiteChanges,
    SiteRequest,
    add_site,
    change_site,
    list_sites,
    remove_site,
    rotate_key,
    show_site,
    site_of_key,
)


async def test_a_site_is_added_changed_and_removed(db: asyncpg.Connection):
    made = await add_site(db, SiteRequest("shop", "https://Shop.test:443/path", ["www.shop.test"]))
    assert (made.site.base_url, list(made.site.hosts)) == (
        "https://shop.test",
        ["shop.test", "www.shop.test"],
    )
    with pytest.raises(Conflict):
        await add_site(db, SiteRequest("shop", "https://other.test"))

    changed = await change_site(
        db, "shop", SiteChanges(name="store", settings={"delete_fallback": "gone", "prune_days": 30}), "x"
    )
    assert (changed.name, changed.settings.delete_fallback, changed.settings.prune_days) == (
        "store",
        "gone",
        30,
    )
    assert [each.name for each in (await list_sites(db, ALL)).items] == ["store"]
    await remove_site(db, str(changed.site_id))

    with pytest.raises(NotFound):
        await show_site(db, "store")


@pytest.mark.parametrize(
    "request_",
    [
        SiteRequest("", "https://a.test"),
        SiteRequest("42", "https://a.test"),
        SiteRequest("Shop", "https://a.test"),
        SiteRequest("a/b", "https://a.test"),
        SiteRequest("a", "a.test"),
        SiteRequest("a", "ftp://a.test"),
        SiteRequest("a", "https://u:p@a.test"),
        SiteRequest("a", "https://a.test", ["b c"]),
        SiteRequest("a", "https://a.test", settings={"colour": 1}),
        SiteRequest("a", "https://a.test", settings={"prune_days": "x"}),
        SiteRequest("a", "https://a.test", settings={"confidence_threshold": 2}),
        SiteRequest("a", "https://a.test", settings={"delete_fallback": "home"}),
        SiteRequest("a", "https://a.test", settings={"exempt_prefixes": ["api"]}),
    ],
)
async def test_what_cannot_be_a_site_is_refused(db: asyncpg.Connection, request_: SiteRequest):
    with pytest.raises(InvalidInput):
        await add_site(db, request_)


async def test_a_key_belongs_to_one_site_and_only_its_hash_is_stored(db: asyncpg.Connection):
    one, other = await SiteOwner.register(db, "one"), await SiteOwner.register(db, "other")
    ids = {each.name: each.site_id for each in (await list_sites(db, ALL)).items}

    assert await site_of_key(db, one.key) == ids["one"]
    assert await site_of_key(db, other.key) == ids["other"]
    for wrong in ["", "x", one.key[:-1], one.key + "x", "ork_" + "a" * 43, "\x00" * 40, one.key.upper()]:
        assert await site_of_key(db, wrong) is None
    stored = str([dict(row) for row in await db.fetch("SELECT * FROM site")])
    assert one.key not in stored


async def test_a_key_is_rotated_with_and_without_a_grace(db: asyncpg.Connection):
    shop = await SiteOwner.register(db)
    second = (await rotate_key(db, "shop")).key
    assert await site_of_key(db, shop.key) == await site_of_key(db, second) != None  # noqa: E711

    third = (await rotate_key(db, "shop", 0.0)).key

    assert await site_of_key(db, second) is None
    assert await site_of_key(db, shop.key) is None
    assert await site_of_key(db, third) is not None


async def test_sites_do_not_share_redirects(db: asyncpg.Connection):
    one, other = await SiteOwner.register(db, "one"), await SiteOwner.register(db, "other")
    await one.create("/a", "/b")
    await other.create("/b", "/a")

    assert await one.redirects() == {"/a": "/b"}
    [redirect] = await one.listed()
    with pytest.raises(NotFound):
        await other.remove(str(redirect.id))


async def test_a_redirect_to_a_host_that_the_site_gets_becomes_a_path_and_no_loop(shop: SiteOwner):
    await shop.create("/a", "https://new.test/a", may_leave=True)
    await shop.create("/b", "https://new.test/c?x=1", 302, may_leave=True)
    await shop.create("/c", "/d")
    await shop.create("/e", "https://new.test/%2e%2e", may_leave=True)
    await shop.create("/f", "https://elsewhere.test/f", may_leave=True)

    await change_site(shop.db, shop.name, SiteChanges(hosts=["shop.test", "new.test"]), "owner")

    assert await shop.redirects() == {"/b": "/d?x=1", "/c": "/d", "/f": "https://elsewhere.test/f"}
    with pytest.raises(Conflict, match="would lead to itself"):
        await shop.create("/a", "https://new.test:443/a", may_leave=True)


@pytest.mark.parametrize("host", ["shop.test", "SHOP.test:443", "shop.test.", "shop.test.:0443"])
async def test_no_spelling_of_the_own_host_makes_a_loop(shop: SiteOwner, host: str):
    with pytest.raises(Conflict, match="would lead to itself"):
        await shop.create("/a", f"https://{host}/A/", may_leave=True)

    other = await shop.create("/b", "https://shop.test:8443/b", may_leave=True)
    assert other.to == "https://shop.test:8443/b", "another port is another server"
