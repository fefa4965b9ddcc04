"""The fields of a source: how each is read from text and written back.

The command line, spreadsheets, OPML files and exports all go through this table, so that they agree.
"""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from outrider.durations import short
from outrider.fetch.hops import RedirectPolicy, RedirectScope
from outrider.frontier.priority import DEFAULT as DEFAULT_PRIORITY
from outrider.sources import values
from outrider.sources.model import Mode, RenderMode, Source
from outrider.sources.policy import External
from outrider.sources.scope import ScopeKind

MINUTE, HOUR, DAY = 60.0, 3_600.0, 86_400.0
MOST_IN_A_LIST = 100
DEFAULT = "default"  # resets a field to its default

_BLANKS = re.compile(r"\s+")
_LINES = re.compile(r"\s*[\r\n]+\s*")
_COMMAS = re.compile(r"\s*[,;\r\n]+\s*")


@dataclass(frozen=True, slots=True)
class SourceField:
    """One field, stored in the policy under the name `policy`. `between` separates the items of a list."""

    read: Callable[[str], Any]
    policy: str | None = None
    between: re.Pattern[str] | None = None
    fallback: Any = None  # replaces a value that cannot be read, with a note
    cleared: Any = None  # the value of `default` outside the policy; None: `default` is a plain value

    def read_all(self, texts: Sequence[str]) -> Any:
        """The value of `texts`; ValueError says what is wrong with them."""
        if texts[-1].strip().lower() == DEFAULT and (self.policy or self.cleared is not None):
            return self.cleared
        if self.between is None:
            return self.read(texts[-1])
        pieces = [piece for text in texts for piece in self.between.split(text.strip()) if piece]
        if len(pieces) > MOST_IN_A_LIST:
            raise ValueError(f"there are {len(pieces)} of them: write at most {MOST_IN_A_LIST}")
        return list(dict.fromkeys(map(self.read, pieces)))

    def write(self, value: Any) -> str:
        """Text that reads back as the same value."""
        if self.between is not None:
            glue = {_BLANKS: " ", _COMMAS: ", "}.get(self.between, "\n")
            return glue.join(map(str, value))
        match value:
            case bool():
                return "yes" if value else "no"
            case StrEnum():
                return value.value
            case dict():
                return json.dumps(value, ensure_ascii=False)
            case float():
                return short(value)
            case _:
                return str(value)  # an int of a duration reads back as seconds


FIELDS = {
    "name": SourceField(values.name),
    "url": SourceField(values.address),
    "mode": SourceField(
        values.choice(
            Mode, rss=Mode.FEED, feeds=Mode.FEED, crawl=Mode.SPIDER, feed_and_spider=Mode.BOTH, all=Mode.BOTH
        )
    ),
    "priority": SourceField(values.priority),
    "feed": SourceField(values.address, between=_BLANKS),
    "sitemap": SourceField(values.address, between=_BLANKS),
    "labels": SourceField(values.name, between=_COMMAS, cleared=()),
    "enabled": SourceField(values.flag),
    "template": SourceField(values.template, cleared=""),
    "selectors": SourceField(values.selectors, cleared={}),
    "render_mode": SourceField(
        values.choice(RenderMode, javascript=RenderMode.DYNAMIC, browser=RenderMode.DYNAMIC),
        cleared=RenderMode.STATIC,
    ),
    "identity_key": SourceField(values.identity_key, cleared=""),
    "allow_source_discovery": SourceField(values.flag, cleared=True),
    "delay": SourceField(values.duration(0, DAY), policy="delay_s", fallback=1.0),
    "depth": SourceField(values.whole(-1, 100), policy="max_depth"),
    "poll": SourceField(values.duration(MINUTE, 7 * DAY), policy="poll_s"),
    "sitemap_poll": SourceField(values.duration(5 * MINUTE, 30 * DAY), policy="sitemap_poll_s"),
    "recrawl": SourceField(values.duration(HOUR, 366 * DAY), policy="recrawl_s"),
    "article_pattern": SourceField(values.pattern, policy="article_patterns", between=_LINES),
    "include": SourceField(values.pattern, policy="include", between=_LINES),
    "exclude": SourceField(values.pattern, policy="exclude", between=_LINES),
    "scope": SourceField(values.choice(ScopeKind), policy="scope"),
    "allow_domain": SourceField(values.domain, policy="allowed_domains", between=_COMMAS),
    "bar_domain": SourceField(values.domain, policy="barred_domains", between=_COMMAS),
    "external": SourceField(values.choice(External), policy="external"),
    "keep_slash": SourceField(values.flag, policy="keep_slash"),
    "tracking_keep": SourceField(values.parameter, policy="tracking_keep", between=_COMMAS),
    "tracking_add": SourceField(values.parameter, policy="tracking_add", between=_COMMAS),
    "redirects": SourceField(
        values.choice(RedirectPolicy, canonicalize=RedirectPolicy.CANONICALISE), policy="redirect_policy"
    ),
    "redirect_scope": SourceField(
        values.choice(RedirectScope, domain=RedirectScope.SAME_DOMAIN), policy="redirect_scope"
    ),
    "backfill": SourceField(values.flag, policy="backfill"),
    "spider_without_feed": SourceField(values.flag, policy="spider_without_feed"),
}


def field_values(source: Source) -> dict[str, str]:
    """The fields that differ from their defaults, as text that reads back as the same value."""
    own = {
        "name": source.name,
        "url": source.url,
        "mode": source.mode,
        "priority": None if source.priority == DEFAULT_PRIORITY else source.priority,
        "labels": source.labels,
        "enabled": None if source.enabled else False,
        "template": source.template,
        "selectors": source.selectors,
        "render_mode": None if source.render_mode is RenderMode.STATIC else source.render_mode,
        "identity_key": source.identity_key,
        "allow_source_discovery": None if source.allow_source_discovery else False,
    }
    by_field = {
        name: own.get(name) if field.policy is None else source.policy.stated_value(field.policy)
        for name, field in FIELDS.items()
    }
    return {
        name: FIELDS[name].write(value)
        for name, value in by_field.items()
        if value is not None and value != () and value != []
    }
