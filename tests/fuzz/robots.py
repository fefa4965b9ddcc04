"""robots.txt: any bytes are rules, and every rule has an answer."""

from tests.fuzz.storable import check_storable

from outrider.robots import Robots

AGENTS = ("outrider", "Outrider/1.0 (+https://example.com)", "*", "", "googlebot", "\x00")
URLS = (
    "https://example.com/",
    "https://example.com/a/b.html?x=1&y=%2F",
    "https://example.com/%E4%B8%AD/*$",
    "https://example.com/" + "a" * 2_000,
    "/just/a/path",
    "",
)


def check(data: bytes) -> None:
    robots = Robots.parse(data)
    for agent in AGENTS:
        delay = robots.crawl_delay(agent)
        assert delay is None or delay >= 0
        for url in URLS:
            verdict = robots.verdict(agent, url)
            assert robots.allows(agent, url) is verdict.allowed
            check_storable((verdict.rule, verdict.group))
    assert robots.allows("outrider", "https://example.com/robots.txt")
    check_storable(robots.sitemaps)
