"""Print the feeds, sitemaps and selectors that were found on a site."""

from collections.abc import Iterator, Mapping
from typing import Any

from outrider.cli.output import show
from outrider.cli.show.facts import facts
from outrider.watch.channels.found import DiscoveryResult, FoundChannel
from outrider.watch.channels.model import FoundBy
from outrider.wording import plural

_HOW = {
    FoundBy.MANUAL: "the address itself",
    FoundBy.ALTERNATE: "the page names it",
    FoundBy.LINK: "the page links to it",
    FoundBy.PATH: "a usual address",
    FoundBy.ROBOTS: "robots.txt names it",
    FoundBy.INDEX: "a sitemap index names it",
}


def show_found(found: DiscoveryResult, proposal: Mapping[str, Any]) -> None:
    """Print what was found, and the proposed selectors."""
    show(facts([*_rows(found), *selector_rows(proposal)]))


def selector_rows(selectors: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    for group, fields in selectors.items():
        for name, selector in fields.items():
            told = ", ".join(selector) if isinstance(selector, list) else selector
            yield f"{group} {name.replace('_', ' ')}", told


def _rows(found: DiscoveryResult) -> Iterator[tuple[str, object]]:
    yield "site", found.url
    if found.name:
        yield "name", found.name
    for channel in found.feeds:
        yield "feed", _line(channel)
    for channel in found.sitemaps:
        yield "sitemap", _line(channel)
    for note in found.notes:
        yield "note", note


def _line(channel: FoundChannel) -> str:
    state = channel.doubt or plural(channel.items, "entry", "entries")
    return f"{channel.url} ({_HOW[channel.found_by]}; {state})"
