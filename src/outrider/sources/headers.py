"""The column names of a list of sources, and their aliases."""

import re
from collections.abc import Iterable, Iterator, Sequence

from outrider.errors import InvalidInput
from outrider.sources.fields import FIELDS
from outrider.sources.rows import MOST_ROWS, ImportRow, ImportRows

_ALIASES = {
    "name": "title source source_name site site_name outlet publication publisher text",
    "url": "website web_site homepage home_page link address site_url base_url html_url htmlurl domain host",
    "feed": "feeds feed_url feed_urls rss rss_url rss_feed atom atom_url xml_url xmlurl",
    "sitemap": "sitemaps sitemap_url sitemap_urls",
    "mode": "ingestion_mode ingestion",
    "priority": "prio importance",
    "labels": "label tags tag category categories group groups folder topic topics",
    "enabled": "active is_active is_enabled",
    "template": "template_hint cms",
    "render_mode": "render rendering",
    "identity_key": "identity external_id",
    "allow_source_discovery": "source_discovery discovery",
    "delay": "rate_limit ratelimit crawl_delay request_delay pause",
    "depth": "max_depth crawl_depth",
    "poll": "poll_interval feed_poll_interval interval",
    "sitemap_poll": "sitemap_poll_interval",
    "recrawl": "recrawl_interval re_crawl re_crawl_interval",
    "article_pattern": "article_patterns article_url_pattern article_url_patterns pattern patterns",
    "allow_domain": "allowed_domain allowed_domains",
    "bar_domain": "disallowed_domain disallowed_domains blocked_domains",
    "include": "allow allowed include_pattern include_patterns",
    "exclude": "disallow disallowed exclude_pattern exclude_patterns",
    "external": "external_links external_link_policy",
    "keep_slash": "keep_trailing_slash",
    "tracking_keep": "keep_parameters",
    "tracking_add": "drop_parameters tracking_parameters",
    "redirects": "redirect_policy",
    "spider_without_feed": "fallback fallback_to_spider",
}
_FIELD_OF = {alias: name for name, aliases in _ALIASES.items() for alias in aliases.split()} | {
    name: name for name in FIELDS
}
_MINUTES = {
    f"{alias}_minutes": name for name in ("poll", "sitemap_poll") for alias in (name, *_ALIASES[name].split())
}
_NO_LETTER = re.compile(r"[^a-z0-9]+")
_NUMBER = re.compile(r"\s*(\d+(?:\.\d+)?)\s*")


def read_table(lines: Iterable[tuple[int, Sequence[str]]]) -> ImportRows:
    """Read numbered lines of cells. The first line that is not empty names the columns."""
    filled = ((number, cells) for number, cells in lines if any(cell.strip() for cell in cells))
    _, header = next(filled, (0, ()))
    names = [_plain(cell) for cell in header]
    if not any(field_named(name) in ("url", "feed", "name") for name in names):
        raise InvalidInput(
            "the first row must name the columns, as in `name,url,feed`; "
            f"it says {', '.join(cell.strip()[:40] for cell in header[:5]) or 'nothing'}"
        )
    rows: list[ImportRow] = []
    for number, cells in filled:
        if len(rows) >= MOST_ROWS:
            raise InvalidInput(f"there are more than {MOST_ROWS:,} rows: split the file")
        rows.append(ImportRow(f"row {number}", _values(names, cells)))
    unknown = [
        cell.strip() for cell, name in zip(header, names, strict=True) if name and field_named(name) is None
    ]
    return ImportRows(rows, tuple(unknown_columns(unknown)))


def _values(names: Sequence[str], cells: Sequence[str]) -> dict[str, list[str]]:
    values: dict[str, list[str]] = {}
    for name, cell in zip(names, cells, strict=False):
        known = field_named(name)
        if known is not None and cell.strip():
            values.setdefault(known, []).append(with_unit(name, cell))
    return values


def field_named(column: str) -> str | None:
    """The field of a column name; None if the name is unknown."""
    name = _plain(column)
    return _FIELD_OF.get(name) or _MINUTES.get(name)


def with_unit(column: str, cell: str) -> str:
    """Add the unit to a number in a column of minutes."""
    return f"{number[1]}m" if _plain(column) in _MINUTES and (number := _NUMBER.fullmatch(cell)) else cell


def unknown_columns(columns: Sequence[str]) -> Iterator[str]:
    """A note about unknown columns."""
    if columns:
        shown = ", ".join(repr(column[:40]) for column in columns[:5])
        yield f"not read, because the meaning is not known: column {shown}; known are {', '.join(FIELDS)}"


def _plain(column: str) -> str:
    return _NO_LETTER.sub("_", column.lower()).strip("_")
