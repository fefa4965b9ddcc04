"""Handlers that are made when the first entry of their kind is visited."""

from outrider.crawl.handlers_by_kind import HandlersByKind
from outrider.crawl.pages.handler import PageHandler
from outrider.frontier.model import EntryKind


class Makers:
    """Makes the handlers of two kinds at once, and counts how often."""

    def __init__(self) -> None:
        self.made = 0

    def channels(self) -> dict[EntryKind, PageHandler]:
        self.made += 1
        return {EntryKind.FEED: PageHandler(), EntryKind.SITEMAP: PageHandler()}


def handlers(makers: Makers) -> HandlersByKind:
    on_demand = {EntryKind.FEED: makers.channels, EntryKind.SITEMAP: makers.channels}
    return HandlersByKind({EntryKind.PAGE: PageHandler()}, on_demand)


def test_a_crawl_of_pages_makes_no_other_handler():
    makers = Makers()
    found = handlers(makers)

    assert found[EntryKind.PAGE] is found[EntryKind.PAGE]
    assert makers.made == 0


def test_the_handlers_of_feeds_and_sitemaps_are_made_together_and_once():
    makers = Makers()
    found = handlers(makers)

    assert found[EntryKind.FEED] is found[EntryKind.FEED]
    assert found[EntryKind.SITEMAP] is not found[EntryKind.FEED]
    assert makers.made == 1


def test_all_kinds_are_listed_before_they_are_made():
    makers = Makers()

    assert {*handlers(makers)} == {EntryKind.PAGE, EntryKind.FEED, EntryKind.SITEMAP}
    assert len(handlers(makers)) == 3
    assert makers.made == 0
