"""404s of pages that had visitors are found, resolved if it is clear, and reviewed by what was lost."""

import pytest
from tests.support.sites import ALL, OWNER, SiteOwner

from outrider.errors import Conflict, InvalidInput, NotFound
from outrider.redirects.broken_store import BrokenStatus, BrokenStore
from outrider.redirects.monitor import MOST_REPORTED, Miss
from outrider.services.sites.broken_urls import ignore_broken, list_broken, resolve_broken
from outrider.services.sites.reports import report_hits, report_misses, report_views
from outrider.services.sites.sites import show_site
from outrider.sites.model import LivePath


async def broken(shop: SiteOwner, status: BrokenStatus | None = None) -> dict[str, BrokenStatus]:
    return {each.path: each.status for each in (await list_broken(shop.db, shop.name, ALL, status)).items}


async def test_a_404_with_earlier_views_is_recorded_and_without_is_not(shop: SiteOwner):
    other = await SiteOwner.register(shop.db, "other")
    await other.saw(elsewhere=9)
    await shop.saw(lost=5)

    report = await shop.missed("/lost", "/Lost/?x=1", "/lost#part", "/wp-login.php", "/elsewhere")

    assert (report.noise, report.recorded) == (2, 1)
    [found] = (await list_broken(shop.db, shop.name, ALL)).items
    assert (found.path, found.prior_analytics_hits, found.recent_404_count) == ("/lost", 5, 3)
    assert found.first_seen_at == found.last_seen_at
    assert await broken(other) == {}

    await shop.missed("/lost")
    made = await shop.create("/lost", "/found")
    [found] = (await list_broken(shop.db, shop.name, ALL, BrokenStatus.RESOLVED)).items
    assert (found.recent_404_count, found.resolved_redirect_id) == (4, made.id)
    assert found.first_seen_at < found.last_seen_at


async def test_a_confident_match_redirects_and_none_stays_pending(shop: SiteOwner):
    await shop.has_pages(
        LivePath("/shoes/red-leather-shoe", title="Red leather shoe"),
        LivePath("/hats/blue-hat", title="Blue hat"),
    )
    await shop.saw(products__red_leather_shoes=9, old__blue_hat=8, blue_coat=5, strange=4)

    report = await shop.missed("/products/red-leather-shoes", "/old/blue-hat", "/blue-coat", "/strange")

    assert report.resolved == 2
    exact, made = await shop.listed()
    assert (exact.from_path, exact.to, exact.confidence) == ("/old/blue-hat", "/hats/blue-hat", 1)
    assert (made.from_path, made.to, made.source) == (
        "/products/red-leather-shoes",
        "/shoes/red-leather-shoe",
        "analytics_detected",
    )
    assert 0.6 <= made.confidence < 1
    assert await broken(shop) == {
        "/products/red-leather-shoes": "resolved",
        "/old/blue-hat": "resolved",
        "/blue-coat": "pending",
        "/strange": "pending",
    }
    [doubtful, _] = (await list_broken(shop.db, shop.name, ALL)).items
    assert [each.path for each in doubtful.suggestions] == ["/hats/blue-hat"]
    assert 0 < doubtful.suggestions[0].confidence < 0.6


async def test_two_candidates_that_are_alike_are_only_suggested(shop: SiteOwner):
    await shop.has_pages("/red-shoe-22", "/red-shoe-1", "/hat")
    await shop.saw(red_shoe=3)

    await shop.missed("/red-shoe")

    assert await shop.redirects() == {}
    [found] = (await list_broken(shop.db, shop.name, ALL)).items
    assert [each.path for each in found.suggestions] == ["/red-shoe-1", "/red-shoe-22"], "the best is first"
    assert all(0 < each.confidence <= 1 for each in found.suggestions)


async def test_only_paths_of_the_patterns_are_resolved_without_a_person(shop: SiteOwner):
    await shop.set(path_patterns=["/shop/*"])
    await shop.has_pages("/shoes/red-leather-shoe")
    await shop.saw(old__red_leather_shoe=3, shop__red_leather_shoe=3)

    await shop.missed("/old/red-leather-shoe", "/shop/red-leather-shoe")

    assert await shop.redirects() == {"/shop/red-leather-shoe": "/shoes/red-leather-shoe"}


async def test_the_review_list_begins_with_the_greatest_loss(shop: SiteOwner):
    await shop.saw(small=1, large=90, middle=10)
    await shop.missed("/small", "/large", "/middle")

    assert list(await broken(shop)) == ["/large", "/middle", "/small"]


async def test_a_person_resolves_ignores_and_reopens(shop: SiteOwner):
    await shop.saw(one=1, two=2)
    await shop.missed("/one", "/two")
    two, one = (await list_broken(shop.db, shop.name, ALL)).items

    with pytest.raises(InvalidInput, match="no suggestion"):
        await resolve_broken(shop.db, shop.name, one.broken_id, None, OWNER)
    done = await resolve_broken(shop.db, shop.name, one.broken_id, "/new", OWNER)
    await ignore_broken(shop.db, shop.name, two.broken_id)
    assert (done.status, await shop.redirects()) == ("resolved", {"/one": "/new"})
    with pytest.raises(Conflict):
        await resolve_broken(shop.db, shop.name, one.broken_id, "/x", OWNER)
    with pytest.raises(NotFound):
        await ignore_broken(shop.db, shop.name, 999)

    await shop.missed("/two")
    assert await broken(shop) == {"/one": "resolved", "/two": "ignored"}
    await shop.remove("/one")
    assert await broken(shop) == {"/one": "pending", "/two": "ignored"}


async def test_a_redirect_by_any_route_resolves_and_a_page_that_answers_again_closes(shop: SiteOwner):
    await shop.saw(one=1, two=1, three=1, four=1)
    await shop.missed("/one", "/two", "/three", "/four")

    await shop.create("/one", "/x")
    await shop.tell("deleted", "/two")
    await shop.tell("created", "/three")
    await shop.saw(four=1)

    assert set((await broken(shop)).values()) == {"resolved"}


async def test_a_resolved_path_that_is_missed_again_is_pending_again(shop: SiteOwner):
    await shop.saw(one=1)
    await shop.missed("/one")
    await shop.saw(one=1)
    await shop.missed("/one")

    assert await broken(shop) == {"/one": "pending"}


async def test_hits_are_added_by_path_in_any_spelling(shop: SiteOwner):
    await shop.create("/old", "/new")

    counted = await report_hits(shop.db, shop.name, {"/old": 2, "/OLD/": 3, "/unknown": 5})

    [made] = await shop.listed()
    assert (counted, made.hit_count) == (1, 5)
    assert made.last_hit_at > made.created_at == made.updated_at
    await shop.create("/new", "/newer")
    [_, made] = await shop.listed()
    assert (made.to, made.hit_count) == ("/newer", 5), "another target keeps the hits"
    assert made.updated_at > made.created_at


async def test_reports_are_bounded(shop: SiteOwner):
    many = {f"/{number}": 1 for number in range(MOST_REPORTED + 1)}

    for report in (report_hits(shop.db, shop.name, many), report_views(shop.db, shop.name, many)):
        with pytest.raises(InvalidInput, match="at most"):
            await report
    with pytest.raises(InvalidInput, match="at most"):
        await report_misses(shop.db, shop.name, [Miss(path) for path in many])
    with pytest.raises(InvalidInput, match="from 1 to"):
        await report_hits(shop.db, shop.name, {"/a": -5})
    assert await report_views(shop.db, shop.name, {"/\x00": 1, "/" + "x" * 5_000: 1, "no": 1}) == 0


async def test_a_day_keeps_a_bounded_number_of_paths_and_goes_on_counting_them(shop: SiteOwner):
    site_id = await shop.db.fetchval("SELECT site_id FROM site")
    day = await shop.db.fetchval("SELECT current_date")
    first = {(f"/{number}", day): number + 1 for number in range(10)}

    for _ in range(2):
        await BrokenStore().add_views(shop.db, site_id, first, most_paths=4)

    rows = await shop.db.fetch("SELECT path, views FROM site_view ORDER BY views DESC")
    assert [tuple(row) for row in rows] == [("/9", 20), ("/8", 18), ("/7", 16), ("/6", 14)]


async def test_the_summary_has_the_badge_counts(shop: SiteOwner):
    await shop.has_pages("/a")
    await shop.create("/old", "/a")
    await report_hits(shop.db, shop.name, {"/old": 4})
    await shop.saw(lost=1)
    await shop.missed("/lost")

    found = await show_site(shop.db, shop.name)

    assert (found.live_paths, found.figures.redirects, found.figures.redirect_hits) == (1, 1, 4)
    assert (found.figures.pending_broken_urls, found.figures.broken_urls_recorded) == (1, 1)
