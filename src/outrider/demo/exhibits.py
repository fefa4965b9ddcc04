"""The special pages of the demo site, and the expected result of each."""

from dataclasses import dataclass
from enum import StrEnum

from outrider.frontier.dead_reason import DeadReason, unexpected_status


class Expect(StrEnum):
    """The expected result: a state of the frontier, `dead` with its reason, or why the URL is not queued."""

    FETCHED = "fetched"
    ALIAS = "alias"
    NOT_FOUND = f"dead:{DeadReason.NOT_FOUND}"
    GONE = f"dead:{DeadReason.GONE}"
    UNEXPECTED = f"dead:{unexpected_status(418)}"
    ROBOTS_BLOCKED = f"dead:{DeadReason.ROBOTS_BLOCKED}"
    REDIRECT_LOOP = f"dead:{DeadReason.REDIRECT_LOOP}"
    UNSUPPORTED = f"dead:{DeadReason.UNSUPPORTED_CONTENT_TYPE}"
    BINARY = f"dead:{DeadReason.BINARY_URL}"
    TOO_LARGE = f"dead:{DeadReason.TOO_LARGE}"
    DUPLICATE = "duplicate"  # fetched; its text is that of another page
    NEAR_DUPLICATE = "near_duplicate"  # fetched; its text is almost that of another page
    NOINDEX = "noindex"  # fetched, not kept for search
    TRAP = "trap"  # an endless template; the crawler stops fetching it
    SAME_URL = "same_url"  # normalises to a known URL: never requested as written
    UNSEEN = "unseen"  # never queued
    FEED = "feed"  # declared by pages as a feed, not linked as a page


@dataclass(frozen=True, slots=True)
class Exhibit:
    """One special page. `path` is on the demo's first host and may have a query."""

    name: str
    path: str
    shows: str
    expect: Expect


tour: tuple[Exhibit, ...] = (
    Exhibit("article", "/river/ferry-returns", "Open Graph, JSON-LD, author and date", Expect.FETCHED),
    Exhibit("RSS feed", "/feeds/rss", "twelve stories, announced by rel=alternate", Expect.FEED),
    Exhibit("Atom feed", "/feeds/atom", "the same twelve, the other format", Expect.FEED),
    Exhibit("sitemap", "/sitemap.xml", "all stories, announced by robots.txt", Expect.UNSUPPORTED),
    Exhibit("robots rule", "/private/diary", "robots.txt says Disallow: /private/", Expect.ROBOTS_BLOCKED),
    Exhibit("moved page", "/ferry-times", "301 to /river/ferry-returns", Expect.ALIAS),
    Exhibit("redirect chain", "/old", "/old → /older → /oldest → /town, 3 hops of 302", Expect.ALIAS),
    Exhibit("redirect loop", "/lost", "/lost → /found → /lost, for ever", Expect.REDIRECT_LOOP),
    Exhibit("redirect to another host", "/print-shop", "302 to the print shop on its own host", Expect.ALIAS),
    Exhibit("broken link", "/town/unbuilt-bridge", "404: it was never there", Expect.NOT_FOUND),
    Exhibit("withdrawn page", "/town/summer-fair-2019", "410: it was, and will not return", Expect.GONE),
    Exhibit("odd answer", "/almanac/tea", "418: an unusual status", Expect.UNEXPECTED),
    Exhibit("dropped connection", "/live", "cut off in mid-sentence, then fine", Expect.FETCHED),
    Exhibit("slow page", "/almanac/slow", "takes two seconds to answer", Expect.FETCHED),
    Exhibit(
        "calendar trap", "/calendar?month=2031-05", "each month links to the next, all empty", Expect.TRAP
    ),
    Exhibit(
        "facet trap",
        "/market?colour=blue&size=small&sort=oldest&view=grid",
        "288 ways to see the same six things",
        Expect.TRAP,
    ),
    Exhibit(
        "folder trap",
        "/maps/maps/maps/maps/northern",
        "a link that goes one deeper each time",
        Expect.TRAP,
    ),
    Exhibit("print version", "/print/ferry-returns", "word for word /river/ferry-returns", Expect.DUPLICATE),
    Exhibit(
        "wire copy",
        "/wire/ferry-returns",
        "the same with a few words changed",
        Expect.NEAR_DUPLICATE,
    ),
    Exhibit(
        "tracking parameters",
        "/river/ferry-returns?utm_source=tour&utm_medium=link",
        "an address that differs only in where the reader came from",
        Expect.SAME_URL,
    ),
    Exhibit("undeclared charset", "/almanac/cafe", "windows-1252 without a declaration", Expect.FETCHED),
    Exhibit("declared charset", "/almanac/hakodate", "Shift_JIS, said in a meta element", Expect.FETCHED),
    Exhibit("PDF", "/almanac/tide-tables", "not a page, as its Content-Type admits", Expect.UNSUPPORTED),
    Exhibit("PDF by its name", "/almanac/tide-tables.pdf", "not a page, as its name admits", Expect.BINARY),
    Exhibit("oversize page", "/almanac/everything", "11 MB of HTML, over the limit of 10", Expect.TOO_LARGE),
    Exhibit("nofollow link", "/almanac/sponsors", "linked once, with rel=nofollow", Expect.UNSEEN),
    Exhibit("noindex page", "/almanac/rota", "asks not to be indexed", Expect.NOINDEX),
    Exhibit("unchanged page", "/about", "has an ETag: asked again, it answers 304", Expect.FETCHED),
    Exhibit("numbered pages", "/archive?page=3", "parameters that do lead to something new", Expect.FETCHED),
)
