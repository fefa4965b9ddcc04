"""What a search tells of its way, for whoever wonders why nothing was found."""

from tests.support.newsroom import Answer, Engine, Newsroom, feed
from tests.support.publications import alternate, page, rss

from outrider.watch.discovery.search import ChannelSearch

NOTES = "SELECT search_notes FROM source WHERE name = $1"


async def test_failed_guesses_are_reported_in_one_sentence(
    engine: Engine, room: Newsroom, search: ChannelSearch
):
    room.publish("/", page("Nothing here"))
    room.publish("/rss", Answer(403))
    await engine.watch("silent", room.origin())

    await search.one()

    [source] = await engine.rows(NOTES, "silent")
    assert source["search_notes"] == [
        "the page points to no feed",
        f"{room.origin()}/rss could not be read: it answered 403",
        "no feed at /feed, /rss, /atom.xml, /feed.xml, /rss.xml, /index.xml either",
        "no sitemap in robots.txt, none at /sitemap.xml, /sitemap_index.xml, /news-sitemap.xml",
    ]


async def test_a_second_source_of_a_site_gets_a_note_about_the_owner_of_the_feed(
    engine: Engine, room: Newsroom, search: ChannelSearch
):
    room.publish("/", page("Daily", head=alternate("/feed")))
    url = room.publish("/feed", rss([("/a", None)]))
    await engine.watch("first", room.origin(), feed(url))
    await engine.watch("second", room.origin())

    await search.one()

    [source] = await engine.rows(NOTES, "second")
    assert source["search_notes"][0] == f"{url} announces pages of 'first' already, and stays there"
