"""The feeds, sitemaps and robots.txt files of simulated sites."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from email.utils import format_datetime

from outrider.simulate.articles import SimulatedArticle
from outrider.simulate.kinds import ChannelType, SiteKind
from outrider.simulate.sites import DAY_S, Site

IN_A_FEED = 5
NEWS_FOR_S = 2 * DAY_S
SITEMAPS = {ChannelType.SITEMAP: "/sitemap.xml", ChannelType.NEWS_SITEMAP: "/news-sitemap.xml"}

_SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"
_NEWS = "http://www.google.com/schemas/sitemap-news/0.9"


def robots_txt(site: Site) -> str:
    lines = (
        ["User-agent: *", "Disallow: /private/"] if site.has_private_pages else ["User-agent: *", "Allow: /"]
    )
    if site.crawl_delay_s is not None:
        lines.append(f"Crawl-delay: {site.crawl_delay_s:g}")
    if site.channel in SITEMAPS:
        lines.append(f"Sitemap: {site.origin}{SITEMAPS[site.channel]}")
    return "\n".join(lines) + "\n"


def feed(site: Site, articles: Sequence[SimulatedArticle]) -> str:
    items = "".join(
        f"<item><title>{each.title}</title><link>{site.origin}{each.path}</link>"
        f"<guid>{site.origin}{each.path}</guid>"
        f"<pubDate>{format_datetime(_date(site, each.published_s))}</pubDate></item>"
        for each in articles
    )
    return (
        f'<?xml version="1.0"?><rss version="2.0"><channel><title>{site.host}</title>'
        f"<link>{site.origin}/</link><description>All of it</description>{items}</channel></rss>"
    )


def sitemap(site: Site, articles: Sequence[SimulatedArticle], now_s: float) -> str:
    """A sitemap with true dates; that of a liar says that everything changed within the last hour."""
    entries = "".join(
        f"<url><loc>{site.origin}{each.path}</loc><lastmod>{_lastmod(site, each, now_s)}</lastmod></url>"
        for each in articles
    )
    return f'<?xml version="1.0"?><urlset xmlns="{_SITEMAP}">{entries}</urlset>'


def news_sitemap(site: Site, articles: Sequence[SimulatedArticle], now_s: float) -> str:
    """The articles of the last two days."""
    entries = "".join(
        f"<url><loc>{site.origin}{each.path}</loc><news:news><news:publication><news:name>{site.host}</news:name>"
        f"<news:language>en</news:language></news:publication><news:publication_date>"
        f"{_date(site, each.published_s).isoformat()}</news:publication_date>"
        f"<news:title>{each.title}</news:title></news:news></url>"
        for each in articles
        if each.published_s > now_s - NEWS_FOR_S
    )
    return f'<?xml version="1.0"?><urlset xmlns="{_SITEMAP}" xmlns:news="{_NEWS}">{entries}</urlset>'


def _lastmod(site: Site, article: SimulatedArticle, now_s: float) -> str:
    is_lie = site.kind is SiteKind.LIAR
    return _date(site, now_s // 3600 * 3600 if is_lie else article.changed_s(now_s)).isoformat()


def _date(site: Site, elapsed_s: float) -> datetime:
    return site.start + timedelta(seconds=int(elapsed_s))
