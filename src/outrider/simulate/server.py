"""How a simulated site answers a path at a time. Pure."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from outrider.simulate.articles import SimulatedArticle, find, newest, published, says
from outrider.simulate.channels import IN_A_FEED, SITEMAPS, feed, news_sitemap, robots_txt, sitemap
from outrider.simulate.kinds import ChannelType, SiteKind
from outrider.simulate.pages import A_PAGE, article_page, calendar_page, front_page, list_page, plain_page
from outrider.simulate.random_values import between, draw
from outrider.simulate.sites import Site

MAZE_DOORS = 5
MAZE_ROOMS = 60

_DATE = re.compile(r"/calendar/([12]\d{3})/(0[1-9]|1[0-2])(?:/(\d\d))?")
_ROOM = re.compile(r"/go/(\d{1,4})")
_LIST = re.compile(r"/page/(\d{1,3})")


class RequestPurpose(StrEnum):
    """The kind of resource that a request is for."""

    ROBOTS = "robots.txt"
    FEED = "feed"
    SITEMAP = "sitemap"
    LIST = "list"  # the front page and the lists of older articles
    ARTICLE = "article"
    TRAP = "trap"  # a month or a redirect among endless ones
    PRIVATE = "private"
    NOTHING = "missing page"


@dataclass(frozen=True, slots=True)
class SimulatedResponse:
    """A response. `says` stays equal while the body has nothing new; `write` makes the body on demand."""

    asked: RequestPurpose
    status: int = 200
    write: Callable[[], str] = str
    says: str = ""
    edition: str = ""  # differs between bodies with the same `says`
    content_type: str = "text/html; charset=utf-8"
    location: str | None = None

    @property
    def body(self) -> str:
        return self.write()


def answer(site: Site, path: str, now_s: float) -> SimulatedResponse:
    """The response for a path, without simulated failures."""
    if path == "/robots.txt":
        text = robots_txt(site)
        return SimulatedResponse(
            RequestPurpose.ROBOTS, write=lambda: text, says=text, content_type="text/plain"
        )
    if path == "/":
        return _front(site, now_s)
    if path in _CHANNEL_PATHS:
        return _channel(site, path, now_s)
    if found := _LIST.fullmatch(path):
        return _list(site, int(found[1]), now_s)
    if path.startswith("/private/"):
        return SimulatedResponse(
            RequestPurpose.PRIVATE, write=lambda: plain_page("Members only"), says="private"
        )
    if site.kind is SiteKind.CALENDAR and (found := _DATE.fullmatch(path)):
        year, month, day = int(found[1]), int(found[2]), int(found[3]) if found[3] else None
        return SimulatedResponse(
            RequestPurpose.TRAP, write=lambda: calendar_page(year, month, day), says=path
        )
    if site.kind is SiteKind.MAZE and (found := _ROOM.fullmatch(path)):
        return _maze(site, int(found[1]))
    article = find(site, path, now_s)
    if article is None:
        return SimulatedResponse(RequestPurpose.NOTHING, 404)
    return SimulatedResponse(
        RequestPurpose.ARTICLE,
        write=lambda: article_page(site, article, now_s),
        says=says(site, article, now_s),
    )


_CHANNEL_PATHS = {"/feed": ChannelType.FEED} | {path: channel for channel, path in SITEMAPS.items()}


def _channel(site: Site, path: str, now_s: float) -> SimulatedResponse:
    if _CHANNEL_PATHS[path] is not site.channel:
        return SimulatedResponse(RequestPurpose.NOTHING, 404)
    if site.channel is ChannelType.FEED:
        articles = newest(site, now_s, IN_A_FEED)
        return SimulatedResponse(
            RequestPurpose.FEED,
            write=lambda: feed(site, articles),
            says=_newest_of(articles),
            content_type="application/rss+xml",
        )
    articles = published(site, now_s)
    write = news_sitemap if site.channel is ChannelType.NEWS_SITEMAP else sitemap
    return SimulatedResponse(
        RequestPurpose.SITEMAP,
        write=lambda: write(site, articles, now_s),
        says=_changes_of(articles, now_s),
        edition=f"{now_s // 3600}" if site.kind is SiteKind.LIAR else "",
        content_type="application/xml",
    )


def _front(site: Site, now_s: float) -> SimulatedResponse:
    articles = published(site, now_s)
    extra: list[str] = []
    if site.kind is SiteKind.CALENDAR:
        extra = ["/calendar/2026/01"]
    elif site.kind is SiteKind.MAZE:
        extra = [f"/go/{door}" for door in range(MAZE_DOORS)]
    return SimulatedResponse(
        RequestPurpose.LIST, write=lambda: front_page(site, articles, extra), says=_newest_of(articles)
    )


def _list(site: Site, number: int, now_s: float) -> SimulatedResponse:
    articles = published(site, now_s)
    if number < 2 or (number - 1) * A_PAGE >= len(articles):
        return SimulatedResponse(RequestPurpose.NOTHING, 404)
    shown = articles[(number - 1) * A_PAGE :]
    return SimulatedResponse(
        RequestPurpose.LIST, write=lambda: list_page(site, articles, number), says=_newest_of(shown)
    )


@lru_cache(maxsize=10_000)
def _maze(site: Site, room: int) -> SimulatedResponse:
    """A redirect to another path of the maze, or in a tenth of cases to the front page."""
    if draw(site.seed, site.host, room, "way out") < 0.1:
        return SimulatedResponse(RequestPurpose.TRAP, 302, location="/")
    next_room = int(between(0, MAZE_ROOMS, site.seed, site.host, room, "next"))
    return SimulatedResponse(RequestPurpose.TRAP, 302, location=f"/go/{next_room}")


def _newest_of(articles: Sequence[SimulatedArticle]) -> str:
    return f"{len(articles)} {articles[0].path}" if articles else "nothing"


def _changes_of(articles: Sequence[SimulatedArticle], now_s: float) -> str:
    return f"{len(articles)} {max((each.changed_s(now_s) for each in articles), default=0)}"
