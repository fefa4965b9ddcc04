"""Commands that empty the queue and fill Redis again say in JSON what they did."""

from tests.support.command import outrider_here


def test_clearing_needs_a_yes_and_counts_what_left_the_queue(own_crawl):
    own_crawl.run("retry", "--dead", "not_found")

    unsure = own_crawl.run("clear")
    cleared = own_crawl.run("clear", "--yes", "--json")

    assert (unsure.code, "--yes" in unsure.err) == (2, True)
    assert cleared.out == '{"cleared": 1}\n'


def test_visited_urls_are_counted_as_redis_learns_them(crawled, redis_server):
    settings = crawled.settings | redis_server.environment | {"OUTRIDER_REDIS_VISITED": "true"}

    without = crawled.run("rebuild-visited", "--json")
    rebuilt = outrider_here("rebuild-visited", "--json", settings=settings)
    known = crawled.run("urls", "--json").json["total"]

    assert without.code != 0
    assert "set OUTRIDER_REDIS_VISITED to true first" in without.err
    assert rebuilt.out == f'{{"urls": {known}}}\n'
