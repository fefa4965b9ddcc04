"""The two hosts of the demo site: which path answers what."""

from aiohttp import web

from outrider.demo import feeds, handlers, oddities, pages
from outrider.demo.art import landscape
from outrider.demo.handlers import constant, redirect
from outrider.demo.stories import SECTIONS, authors, stories
from outrider.demo.tour_page import tour_page

_REDIRECTS = {
    "/ferry-times": (301, "/river/ferry-returns"),
    "/old": (302, "/older"),
    "/older": (302, "/oldest"),
    "/oldest": (302, "/town"),
    "/lost": (302, "/found"),
    "/found": (302, "/lost"),
}
_ON_REQUEST = {
    "/archive": handlers.archive,
    "/calendar": handlers.calendar,
    "/market": handlers.market,
    "/maps{deeper:.*}": handlers.maps,
    "/town/summer-fair-2019": handlers.gone,
    "/almanac/slow": handlers.slow,
    "/almanac/tea": handlers.teapot,
    "/almanac/everything": handlers.everything,
}


def newspaper(app: web.Application, origin: str, other: str) -> None:
    """Give the application the newspaper's pages; `other` is the host of the print shop."""
    get = app.router.add_get
    for path, markup in _pages(origin).items():
        get(path, constant(markup.encode()))
    for path, (body, content_type) in _files(origin).items():
        get(path, constant(body, content_type))
    for path, (status, target) in _REDIRECTS.items():
        get(path, redirect(status, target))
    for path, handler in _ON_REQUEST.items():
        get(path, handler)
    get("/print-shop", redirect(302, f"{other}/"))
    get("/live", handlers.cut_off_once())


def print_shop(app: web.Application, origin: str) -> None:
    """Give the application the one page of the print shop; `origin` is where the newspaper is."""
    app.router.add_get("/", constant(oddities.print_shop(origin).encode()))
    app.router.add_get("/robots.txt", constant(b"User-agent: *\nAllow: /\n", "text/plain"))


def _pages(origin: str) -> dict[str, str]:
    return {
        "/": pages.home(),
        "/about": pages.about(),
        "/contact": pages.contact(),
        "/tour": tour_page(),
        "/print/ferry-returns": oddities.print_version(),
        "/wire/ferry-returns": oddities.wire_version(),
        "/almanac/rota": oddities.noindex(),
        "/almanac/sponsors": oddities.plain("Our sponsors", "There are none. It is quieter that way."),
        "/private/diary": oddities.plain("The editor’s diary", "Nobody who asked politely has read this."),
        **{f"/{slug}": pages.section(slug) for slug in SECTIONS},
        **{story.path: pages.article(story, origin) for story in stories()},
        **{path: pages.person(path) for path in authors()},
    }


def _files(origin: str) -> dict[str, tuple[bytes, str]]:
    pictures = {f"/art/{story.slug}.svg": landscape(story.slug).encode() for story in stories()}
    return {
        "/robots.txt": (feeds.robots(origin).encode(), "text/plain; charset=utf-8"),
        "/sitemap.xml": (feeds.sitemap(origin).encode(), "application/xml"),
        "/feeds/rss": (feeds.rss(origin).encode(), "application/rss+xml; charset=utf-8"),
        "/feeds/atom": (feeds.atom(origin).encode(), "application/atom+xml; charset=utf-8"),
        "/almanac/cafe": (oddities.windows_1252(), "text/html"),
        "/almanac/hakodate": (oddities.shift_jis(), "text/html"),
        "/almanac/tide-tables": (oddities.tide_tables(), "application/pdf"),
        "/almanac/tide-tables.pdf": (oddities.tide_tables(), "application/pdf"),
        **{path: (picture, "image/svg+xml") for path, picture in pictures.items()},
    }
