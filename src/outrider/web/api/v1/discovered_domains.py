"""`/api/v1/discovered-domains`: the domains that links lead to (API-58 to API-62)."""

from datetime import UTC, datetime
from typing import Annotated

from fastapi import Path, Query
from pydantic import Field
from starlette.requests import Request

from outrider.auth.model import Role
from outrider.services.discovered.changes import (
    LONGEST_NOTES,
    MOST_DOMAINS,
    DomainLinks,
    DomainResults,
    decide_about_domain,
    decide_about_domains,
    list_domain_links,
    lock_domain,
    show_domain,
)
from outrider.services.discovered.lists import DiscoveredDomains, list_domains
from outrider.services.paging import PageRequest
from outrider.watch.discovery.outside_links import UNDECIDED, DiscoveredDomain, DomainFilter, DomainState
from outrider.web.answers import check_if_match
from outrider.web.api.v1.parameters import LONGEST_HOST, SearchQuery
from outrider.web.dependencies import MOST_ITEMS, MOST_OFFSET, CursorPaging, Db, RequestBody
from outrider.web.router import ApiRouter

router = ApiRouter("discovered")

Domain = Annotated[str, Path(min_length=1, max_length=LONGEST_HOST, description="Such as `example.com`.")]
Notes = Annotated[str | None, Field(max_length=LONGEST_NOTES)]


class DomainDecision(RequestBody):
    """A decision about a domain. Notes that are left out stay as they are."""

    state: DomainState
    notes: Notes = None


class DomainDecisions(DomainDecision):
    """A decision about many domains."""

    domains: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=LONGEST_HOST)]],
        Field(min_length=1, max_length=MOST_DOMAINS),
    ]
    dry_run: bool = False


@router.get(
    "/api/v1/discovered-domains",
    Role.USER,
    summary="List the discovered domains",
    result=DiscoveredDomains,
    errors=(400,),
)
async def get_discovered_domains(
    db: Db,
    limit: Annotated[int, Query(ge=1, le=MOST_ITEMS)] = 25,
    offset: Annotated[int, Query(ge=0, le=MOST_OFFSET)] = 0,
    after: Annotated[str | None, Query(max_length=8_000)] = None,
    status: DomainState | None = None,
    search: SearchQuery = None,
    min_score: Annotated[int, Query(ge=0, le=100)] = 0,
    hide_existing: Annotated[bool, Query(description="Leave out domains of sources.")] = False,
) -> DiscoveredDomains:
    """Domains that links lead to, the most promising first; without `status` only undecided ones."""
    states = UNDECIDED if status is None else (status,)
    wanted = DomainFilter(states, search or "", min_score, hide_existing)
    return await list_domains(db, wanted, PageRequest(limit, offset, after), datetime.now(UTC))


@router.post(
    "/api/v1/discovered-domains/bulk-state",
    Role.ADMIN,
    summary="Decide about many domains",
    result=DomainResults,
    action="discovered_domain.decide",
    errors=(400,),
)
async def post_domain_states(db: Db, body: DomainDecisions) -> DomainResults:
    """Set the state of up to 100 domains. Each has a result; an unknown one does not stop the others."""
    return await decide_about_domains(db, body.domains, body.state, body.notes, dry_run=body.dry_run)


@router.get(
    "/api/v1/discovered-domains/{domain}",
    Role.USER,
    summary="Show one discovered domain",
    result=DiscoveredDomain,
    errors=(404,),
)
async def get_discovered_domain(db: Db, domain: Domain) -> DiscoveredDomain:
    """One domain with its score."""
    return await show_domain(db, domain, datetime.now(UTC))


@router.get(
    "/api/v1/discovered-domains/{domain}/links",
    Role.USER,
    summary="List the links to a domain",
    result=DomainLinks,
    errors=(400, 404),
)
async def get_discovered_domain_links(db: Db, domain: Domain, paging: CursorPaging) -> DomainLinks:
    """The links, the latest first, and clusters of URLs that begin alike."""
    return await list_domain_links(db, domain, paging, datetime.now(UTC))


@router.patch(
    "/api/v1/discovered-domains/{domain}/state",
    Role.ADMIN,
    summary="Decide about a domain",
    result=DiscoveredDomain,
    action="discovered_domain.decide",
    errors=(404, 412),
)
async def patch_domain_state(
    db: Db, request: Request, domain: Domain, body: DomainDecision
) -> DiscoveredDomain:
    """Set the state and the notes of a domain."""
    check_if_match(request, await lock_domain(db, domain, datetime.now(UTC)))
    return await decide_about_domain(db, domain, body.state, body.notes, datetime.now(UTC))
