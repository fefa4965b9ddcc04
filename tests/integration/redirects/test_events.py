"""What a CMS tells becomes redirects, once, and the inventory follows."""

import pytest
from tests.support.sites import ALL, SiteOwner

from outrider.errors import InvalidInput
from outrider.redirects.events import ContentEvent, ContentEventKind
from outrider.services.sites import content as site_content
from outrider.services.sites.content import list_paths, receive_events
from outrider.services.sites.redirects import list_changes
from outrider.sites.model import LivePath, PathKind


async def live(shop: SiteOwner) -> list[str]:
    pages = (await list_paths(shop.db, shop.name, ALL)).items
    return [page.path for page in pages if page.is_visible]


async def page(shop: SiteOwner, path: str) -> LivePath:
    return next(page for page in (await list_paths(shop.db, shop.name, ALL)).items if page.path == path)


async def test_a_rename_creates_a_redirect_and_no_change_creates_none(shop: SiteOwner):
    await shop.tell("created", "/red-shoe", title="Red shoe", parent="/shoes")

    await shop.tell("updated", "/red-shoe", "/Red-Shoe/", title="Red shoe!")
    assert await shop.redirects() == {}
    assert (await page(shop, "/red-shoe")).title == "Red shoe!"
    await shop.tell("renamed", "/red-shoe", "/crimson-shoe")

    [made] = await shop.listed()
    assert (made.from_path, made.to, made.status, made.source) == (
        "/red-shoe",
        "/crimson-shoe",
        301,
        "auto_slug_change",
    )
    assert await live(shop) == ["/crimson-shoe"]
    kept = await page(shop, "/crimson-shoe")
    assert (kept.title, kept.parent) == ("Red shoe!", "/shoes")


async def test_an_update_with_another_path_is_a_rename(shop: SiteOwner):
    await shop.tell("created", "/a")

    await shop.tell("updated", "/a", "/b")

    assert await shop.redirects() == {"/a": "/b"}


async def test_a_deleted_page_leads_to_its_parent(shop: SiteOwner):
    await shop.tell("created", "/shoes", item_kind=PathKind.COLLECTION)
    await shop.tell("created", "/shoes/red", parent="/shoes")

    await shop.tell("deleted", "/shoes/red")

    [made] = await shop.listed()
    assert (made.from_path, made.to, made.source) == ("/shoes/red", "/shoes", "auto_deleted")
    assert await live(shop) == ["/shoes"]
    await shop.tell("renamed", "/shoes", "/boots")
    assert {each.from_path: (each.to, each.source) for each in await shop.listed()} == {
        "/shoes": ("/boots", "auto_slug_change"),
        "/shoes/red": ("/boots", "auto_deleted"),
    }


@pytest.mark.parametrize(
    ("fallback", "redirects"), [("root", {"/a": "/"}), ("gone", {"/a": None}), ("none", {})]
)
async def test_a_deleted_page_without_a_parent_gets_the_fallback(shop: SiteOwner, fallback, redirects):
    await shop.set(delete_fallback=fallback)
    await shop.tell("created", "/a")

    await shop.tell("deleted", "/a")

    assert await shop.redirects() == redirects


async def test_a_page_that_exists_again_is_reachable_again(shop: SiteOwner):
    await shop.tell("created", "/a")
    await shop.tell("renamed", "/a", "/b")

    await shop.tell("renamed", "/b", "/a")
    assert await shop.redirects() == {"/b": "/a"}
    await shop.tell("created", "/b")

    assert await shop.redirects() == {}


async def test_an_event_that_comes_again_changes_nothing(shop: SiteOwner):
    await shop.tell("created", "/a")
    first = await shop.tell("renamed", "/a", "/b", event_id="e1")
    await shop.tell("created", "/a")

    again = await shop.tell("renamed", "/a", "/b", event_id="e1")

    assert (first.is_duplicate, again.is_duplicate) == (False, True)
    assert await shop.redirects() == {}
    assert await live(shop) == ["/a", "/b"]


async def test_a_hidden_page_leads_to_its_parent_until_it_is_shown(shop: SiteOwner):
    await shop.tell("created", "/shoes")
    await shop.tell("created", "/shoes/red", parent="/shoes")

    await shop.tell("hidden", "/shoes/red")
    [made] = await shop.listed()
    assert (made.to, made.status) == ("/shoes", 302)
    assert await live(shop) == ["/shoes"]
    await shop.tell("updated", "/shoes/red", title="Red")
    assert await live(shop) == ["/shoes"], "an update shows nothing"
    await shop.tell("shown", "/shoes/red")

    assert await shop.redirects() == {}
    assert await live(shop) == ["/shoes", "/shoes/red"]
    assert (await page(shop, "/shoes/red")).title == "Red", "what an event does not say stays"


async def test_a_hidden_page_that_is_renamed_leads_to_its_new_path(shop: SiteOwner):
    await shop.has_pages("/shoes", LivePath("/shoes/red", parent="/shoes"), LivePath("/b", parent="/shoes"))
    await shop.tell("hidden", "/shoes/red")
    await shop.tell("hidden", "/b")

    await shop.tell("renamed", "/shoes/red", "/shoes/crimson")
    await shop.tell("collection_renamed", "/b", "/c")

    assert {each.from_path: (each.to, each.status) for each in await shop.listed()} == {
        "/shoes/red": ("/shoes/crimson", 301),
        "/b": ("/c", 301),
    }


async def test_what_led_to_a_hidden_page_follows_it_when_it_moves_or_goes(shop: SiteOwner):
    await shop.has_pages("/all", *(LivePath(path, parent="/all") for path in ("/a", "/b", "/c")))
    for path in ("/a", "/b", "/c"):
        await shop.create(f"/to{path}", path)
        await shop.tell("hidden", path)
    assert {each.status for each in await shop.listed()} == {302}

    await shop.tell("renamed", "/a", "/new")
    await shop.tell("collection_renamed", "/b", "/moved")
    await shop.tell("deleted", "/c")

    assert await shop.redirects() == {
        "/a": "/new",
        "/b": "/moved",
        "/c": "/all",
        "/to/a": "/new",
        "/to/b": "/moved",
        "/to/c": "/all",
    }
    assert {each.status for each in await shop.listed()} == {301}
    await shop.tell("created", "/c")
    assert (await shop.redirects())["/to/c"] == "/c"


async def test_a_hidden_page_that_is_deleted_leads_to_its_parent_for_ever(shop: SiteOwner):
    await shop.has_pages("/shoes", LivePath("/shoes/red", parent="/shoes"), "/b")
    await shop.set(delete_fallback="gone")
    for path in ("/shoes/red", "/b"):
        await shop.tell("hidden", path)

        await shop.tell("deleted", path)

    assert {each.from_path: (each.to, each.status) for each in await shop.listed()} == {
        "/shoes/red": ("/shoes", 301),
        "/b": (None, 410),
    }


@pytest.mark.parametrize("kind", ["renamed", "updated"])
async def test_a_hidden_page_stays_hidden_under_its_new_path(shop: SiteOwner, kind: str):
    await shop.has_pages("/shoes", LivePath("/shoes/red", title="Red", parent="/shoes"))
    await shop.tell("hidden", "/shoes/red")

    await shop.tell(kind, "/shoes/red", "/shoes/crimson")

    assert await live(shop) == ["/shoes"]
    moved = await page(shop, "/shoes/crimson")
    assert (moved.is_visible, moved.title) == (False, "Red")
    await shop.tell("shown", "/shoes/crimson")
    assert await live(shop) == ["/shoes", "/shoes/crimson"]


@pytest.mark.parametrize(
    ("gone", "back"), [("hidden", "shown"), ("deleted", "created"), ("hidden", None), ("deleted", None)]
)
@pytest.mark.parametrize("fallback", ["root", "gone"])
async def test_redirects_lead_again_to_a_page_that_is_back(
    shop: SiteOwner, gone: str, back: str | None, fallback: str
):
    await shop.set(delete_fallback=fallback)
    await shop.has_pages("/", "/all", LivePath("/old", parent="/all" if gone == "hidden" else None))
    await shop.tell("renamed", "/old", "/new")
    await shop.create("/campaign", "/new?from=mail#top", 302)
    await shop.create("/moved", "/new")
    before = await shop.redirects()
    await shop.tell(gone, "/new")
    away = {each.to for each in await shop.listed()}
    assert not any((to or "").startswith("/new") for to in away), "nothing leads to a page that is gone"
    await shop.edit("/moved", "/all?by=hand", status=301)

    if back is None:
        await shop.has_pages("/new")
    else:
        await shop.tell(back, "/new")

    assert await shop.redirects() == {**before, "/moved": "/all?by=hand"}
    codes = {each.from_path: each.status for each in await shop.listed()}
    assert (codes["/old"], codes["/campaign"]) == (301, 302)


async def test_a_collection_moves_with_its_pages(shop: SiteOwner):
    await shop.has_pages(
        LivePath("/shoes", PathKind.COLLECTION),
        LivePath("/shoes/red", parent="/shoes"),
        LivePath("/shoes/secret", is_visible=False),
        "/shoes-care",
    )

    await shop.tell("collection_renamed", "/shoes", "/footwear", title="Footwear")

    assert await shop.redirects() == {
        "/shoes": "/footwear",
        "/shoes/red": "/footwear/red",
        "/shoes/secret": "/footwear/secret",
    }
    assert {each.source for each in await shop.listed()} == {"auto_slug_change"}
    assert await live(shop) == ["/footwear", "/footwear/red", "/shoes-care"]
    moved = await page(shop, "/footwear")
    assert (moved.title, moved.kind) == ("Footwear", PathKind.COLLECTION)
    assert (await page(shop, "/footwear/red")).parent == "/footwear"
    assert not (await page(shop, "/footwear/secret")).is_visible


async def test_a_collection_without_a_page_of_its_own_is_renamed_too(shop: SiteOwner):
    await shop.has_pages("/hats/blue")

    await shop.tell("collection_renamed", "/hats", "/caps")

    assert await shop.redirects() == {"/hats": "/caps", "/hats/blue": "/caps/blue"}


async def test_a_batch_is_applied_as_a_whole_or_not_at_all(shop: SiteOwner):
    events = [
        ContentEvent(ContentEventKind.CREATED, "/a"),
        ContentEvent(ContentEventKind.RENAMED, "/a", "/b"),
        ContentEvent(ContentEventKind.RENAMED, "/b", "/c\r\nSet-Cookie: x"),
    ]

    with pytest.raises(InvalidInput, match=r"event 3: .*control character"):
        await receive_events(shop.db, shop.name, events, "cms")

    assert await shop.redirects() == {}
    assert await live(shop) == []


@pytest.mark.parametrize(
    "event",
    [
        ContentEvent(ContentEventKind.RENAMED, "/a"),
        ContentEvent(ContentEventKind.DELETED, "/a", "/b"),
        ContentEvent(ContentEventKind.CREATED, "a"),
        ContentEvent(ContentEventKind.CREATED, "/a", title="x" * 2_000),
        ContentEvent(ContentEventKind.CREATED, "/a", event_id=""),
    ],
)
async def test_an_event_that_makes_no_sense_is_refused(shop: SiteOwner, event: ContentEvent):
    with pytest.raises(InvalidInput):
        await receive_events(shop.db, shop.name, [event], "cms")


async def test_every_change_is_audited_with_who_when_why_and_the_event(shop: SiteOwner):
    await shop.tell("created", "/a")
    await shop.tell("renamed", "/a", "/b", event_id="e7")
    await shop.create("/x", "/a")
    await shop.tell("renamed", "/b", "/c", event_id="e8")

    lines = (await list_changes(shop.db, shop.name, ALL)).items

    assert [
        (line.action, line.from_path, line.before_to, line.after_to, line.done_by, line.event_id)
        for line in lines
    ] == [
        ("created", "/b", None, "301 /c", "cms", "e8"),
        ("changed", "/a", "301 /b", "301 /c", "cms", "e8"),
        ("changed", "/x", "301 /b", "301 /c", "cms", "e8"),
        ("created", "/x", None, "301 /b", "owner", None),
        ("created", "/a", None, "301 /b", "cms", "e7"),
    ]
    assert all(line.at for line in lines)
    assert [line.why for line in lines] == [
        "event renamed",
        "event renamed; /b is redirected now",
        "event renamed; /b is redirected now",
        "created by a person",
        "event renamed",
    ]


async def test_an_inventory_stays_bounded_however_paths_come(shop: SiteOwner, monkeypatch):
    monkeypatch.setattr(site_content, "MOST_PATHS", 3)
    await shop.has_pages("/a", "/b", "/c")

    for adding in (
        shop.tell("created", "/d"),
        shop.tell("renamed", "/x", "/y"),
        shop.has_pages("/d"),
        shop.has_pages("/1", "/2", "/3", "/4"),
    ):
        with pytest.raises(InvalidInput, match="at most 3"):
            await adding

    assert await live(shop) == ["/a", "/b", "/c"]
    assert await shop.redirects() == {}
    await shop.tell("renamed", "/a", "/d")
    assert await live(shop) == ["/b", "/c", "/d"]


async def test_an_event_of_one_site_is_no_event_of_another(shop: SiteOwner):
    other = await SiteOwner.register(shop.db, "other")
    await shop.tell("created", "/a")
    await shop.tell("renamed", "/a", "/b", event_id="e1")
    await other.tell("created", "/a")

    told = await other.tell("renamed", "/a", "/c", event_id="e1")

    assert not told.is_duplicate
    assert (await shop.redirects(), await other.redirects()) == ({"/a": "/b"}, {"/a": "/c"})
