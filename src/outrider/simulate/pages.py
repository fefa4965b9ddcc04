"""The HTML of simulated sites."""

from collections.abc import Iterable, Sequence
from datetime import timedelta

from outrider.simulate.articles import SimulatedArticle, newest, text_of
from outrider.simulate.kinds import ChannelType
from outrider.simulate.sites import Site

A_PAGE = 15  # articles on a front page or a list
MOST_LISTS = 15


def front_page(site: Site, articles: Sequence[SimulatedArticle], extra: Iterable[str] = ()) -> str:
    """The newest articles, and links to the older ones."""
    lists = min(len(articles) // A_PAGE, MOST_LISTS)
    links = [*(f"/page/{number}" for number in range(2, lists + 2)), *extra]
    if site.has_private_pages:
        links.append("/private/members")
    links += site.partners
    feed = '<link rel="alternate" type="application/rss+xml" href="/feed">'
    return _page(
        site.host,
        _list_of(articles[:A_PAGE]) + _menu(links),
        head=feed if site.channel is ChannelType.FEED else "",
    )


def list_page(site: Site, articles: Sequence[SimulatedArticle], number: int) -> str:
    """One page of older articles; the front page is number 1."""
    return _page(f"Page {number}", _list_of(articles[(number - 1) * A_PAGE : number * A_PAGE]) + _menu(["/"]))


def article_page(site: Site, article: SimulatedArticle, now_s: float) -> str:
    date = site.start + timedelta(seconds=int(article.published_s))
    related = [each.path for each in newest(site, article.published_s, 4)[1:]]
    paragraphs = "".join(f"<p>{text}</p>" for text in text_of(site, article, article.version(now_s)))
    return _page(
        article.title,
        f'<article><h1>{article.title}</h1><time datetime="{date.isoformat()}">{date:%d %B %Y}</time>'
        f"{paragraphs}</article>{_menu(['/', *related])}",
        head='<meta property="og:type" content="article">'
        f'<meta property="article:published_time" content="{date.isoformat()}">',
    )


def calendar_page(year: int, month: int, day: int | None) -> str:
    """A month or a day without events, with links to others."""
    months = year * 12 + month - 1
    links = [_month(months + step) for step in (-12, -1, 1, 12)]
    if day is None:
        links += [f"{_month(months)}/{each:02}" for each in range(1, 29)]
    title = f"{year}-{month:02}" if day is None else f"{year}-{month:02}-{day:02}"
    return _page(title, f"<p>No events in {title}.</p>{_menu(links)}")


def plain_page(title: str) -> str:
    return _page(title, f"<p>{title}</p>{_menu(['/'])}")


def _month(months: int) -> str:
    return f"/calendar/{months // 12:04}/{months % 12 + 1:02}"


def _list_of(articles: Iterable[SimulatedArticle]) -> str:
    items = "".join(f'<li><a href="{each.path}">{each.title}</a></li>' for each in articles)
    return f"<ul>{items}</ul>"


def _menu(paths: Iterable[str]) -> str:
    links = " ".join(f'<a href="{path}">{path}</a>' for path in paths)
    return f"<nav>{links}</nav>"


def _page(title: str, body: str, head: str = "") -> str:
    return (
        f'<!doctype html><html lang="en"><head><title>{title}</title>{head}</head><body>{body}</body></html>'
    )
