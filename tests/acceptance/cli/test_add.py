"""`outrider add`: URLs into the queue by hand, fetched by whoever watches."""

from tests.support.command import outrider, outrider_here
from tests.support.site import Plan, Site


def test_urls_are_added_by_hand_and_fetched_by_the_next_watch(database, tmp_path):
    settings = {"OUTRIDER_DATABASE_URL": database}
    with Site.start(tmp_path, Plan(pages=5)) as site:
        one, two = f"{site.url}page/1", f"{site.url}page/2"
        added = outrider_here(
            "add", one, "--file", "-", "--json", settings=settings, stdin=f"# more\n{two}\n".encode()
        )
        again = outrider_here("add", one, two, "--priority", "high", settings=settings)
        watched = outrider("watch", "--once", "--workers", "1", settings=settings)
        known = outrider_here("add", one, two, settings=settings)
        asked = sorted(each.path for each in site.log() if each.path != "/robots.txt")

    assert (added.code, added.json["inserted"], added.json["known"]) == (0, 2, 0)
    assert added.json["urls"] == [
        {"url": url, "source": "adhoc", "result": "inserted", "held": False} for url in (one, two)
    ]
    assert "0 inserted, 2 raised, 0 known." in again.out
    assert watched.code == 0, watched.err
    assert asked == ["/page/1", "/page/2"], "these pages, and not what they link to"
    assert "0 inserted, 0 raised, 2 known." in known.out


def test_what_cannot_be_added_is_said_and_nothing_is(database):
    settings = {"OUTRIDER_DATABASE_URL": database}
    for arguments, words in (
        (("http://a.test/", "--priority", "11"), "is no priority"),
        (("http://a.test/", "--source", "nobody"), "there is no source 'nobody'"),
        (("http://a.test/", "not an address"), "not an address"),
        ((), "name the URLs to add"),
    ):
        said = outrider_here("add", *arguments, settings=settings)
        assert said.code != 0
        assert words in said.err

    assert outrider_here("stats", "--json", settings=settings).json["states"]["pending"] == 0
