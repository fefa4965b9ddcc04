"""Use cases of discovered links."""

from datetime import UTC, datetime

import pytest
from tests.support.make import ADHOC

from outrider.errors import NotFound
from outrider.frontier.options import FrontierOptions
from outrider.services.as_json import as_json
from outrider.services.discovered.lists import (
    DiscoveryDecision,
    decide_about,
    list_domains,
    list_links,
    promote_to_source,
)
from outrider.services.paging import PageRequest
from outrider.urls import key_of
from outrider.watch.discovery.outside_links import (
    DiscoveredStore,
    DomainFilter,
    DomainState,
    LinkFilter,
    OutsideLink,
)

NEWS, BLOG = "https://news.example/a", "https://blog.example/b"
NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


@pytest.fixture
async def links(operator):
    outside = [OutsideLink(key_of(url), url, priority=4) for url in (NEWS, BLOG)]
    await operator.run(lambda db: DiscoveredStore().record(db, ADHOC, "https://us.example/", 1, outside))


async def _domains(operator, page=None):
    return await operator.run(lambda db: list_domains(db, DomainFilter(), page or PageRequest(), NOON))


async def test_domains_and_links_are_paged(operator, links):
    domains = await _domains(operator, PageRequest(limit=1))
    found = await operator.run(lambda db: list_links(db, LinkFilter(domain="news.example"), PageRequest()))

    assert (len(domains.items), domains.total, domains.limit) == (1, 2, 1)
    behind = await _domains(operator, PageRequest(offset=10))
    assert (list(behind.items), behind.total) == ([], 2), "behind the end the list is no empty one"
    assert [link.url for link in found.items] == [NEWS]


async def test_an_ignored_domain_is_no_longer_listed(operator, links):
    decided = await operator.run(lambda db: decide_about(db, "news.example", DomainState.IGNORED))

    assert decided == DiscoveryDecision("news.example", DomainState.IGNORED)
    assert as_json(decided) == {"named": "news.example", "state": "ignored"}
    assert [each.domain for each in (await _domains(operator)).items] == ["blog.example"]
    with pytest.raises(NotFound, match=r"no link led to nowhere\.example"):
        await operator.run(lambda db: decide_about(db, "nowhere.example", DomainState.IGNORED))


@pytest.mark.parametrize("dry_run", [True, False])
async def test_a_dry_run_promotes_nothing(operator, links, dry_run):
    promoted = await operator.run(
        lambda db: promote_to_source(db, "news.example", {}, FrontierOptions(), dry_run=dry_run)
    )

    assert (promoted.url, promoted.dry_run) == ("https://news.example/", dry_run)
    is_left = "news.example" in [each.domain for each in (await _domains(operator)).items]
    assert is_left is dry_run
