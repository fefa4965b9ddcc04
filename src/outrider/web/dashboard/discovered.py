"""`/discovered`: which sites do our pages link to, and which of them do we want? (UI-11)"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated

from fastapi import Form, Path, Query
from starlette.requests import Request
from starlette.responses import Response

from outrider.auth.model import Role
from outrider.errors import InvalidInput
from outrider.services.discovered.bulk import MOST_LINKS, LinkResults, LinkVerb, change_links
from outrider.services.discovered.changes import (
    MOST_DOMAINS,
    DomainLinks,
    DomainResults,
    decide_about_domains,
    list_domain_links,
    show_domain,
)
from outrider.services.discovered.lists import (
    DiscoveredDomains,
    PromotedSource,
    list_domains,
    list_links,
    promote_to_source,
)
from outrider.services.paging import CursorPage
from outrider.sources.model import Mode
from outrider.watch.discovery.outside_links import (
    UNDECIDED,
    DiscoveredDomain,
    DiscoveredLink,
    DomainFilter,
    DomainState,
    LinkFilter,
    LinkStatus,
)
from outrider.web.api.v1.parameters import LONGEST_HOST, LONGEST_URL
from outrider.web.dashboard.forms import MOST_TOLD, Chosen, Selected, SelectedForm, ShortText
from outrider.web.dashboard.pages import PageRouter, done
from outrider.web.dashboard.rendering import render
from outrider.web.dashboard.way_back import back_path
from outrider.web.dependencies import Context, CursorPaging, Db
from outrider.wording import plural

router = PageRouter()

Back = Annotated[str, Query(max_length=2_000)]
BackForm = Annotated[str, Form(max_length=2_000)]
DomainName = Annotated[str, Path(min_length=1, max_length=LONGEST_HOST)]
LinkVerbWords = {
    LinkVerb.FETCH: "Fetch once",
    LinkVerb.IGNORE: "Ignore",
    LinkVerb.RESTORE: "Restore",
    LinkVerb.REMOVE: "Forget",
}


class DomainVerb(StrEnum):
    """The decisions of the bar above the list of domains."""

    REVIEW = "review"
    IGNORE = "ignore"
    RESTORE = "restore"


_STATES = {
    DomainVerb.REVIEW: DomainState.REVIEWING,
    DomainVerb.IGNORE: DomainState.IGNORED,
    DomainVerb.RESTORE: DomainState.ACTIVE,
}
_DOMAIN_WORDS = {
    DomainVerb.REVIEW: "Mark for review",
    DomainVerb.IGNORE: "Ignore",
    DomainVerb.RESTORE: "Restore",
}


@dataclass(frozen=True, slots=True)
class DomainsPage:
    """The domains that links lead to."""

    domains: DiscoveredDomains
    state: DomainState | None
    search: str
    hide_watched: bool

    states = tuple((each.value, each.value) for each in DomainState)
    verbs = tuple(_DOMAIN_WORDS.items())

    @property
    def is_filtered(self) -> bool:
        return bool(self.state or self.search or self.hide_watched)


@dataclass(frozen=True, slots=True)
class LinksPage:
    """The links that lead out of their source."""

    links: CursorPage[DiscoveredLink]
    wanted: LinkFilter

    statuses = tuple((each.value, each.value) for each in LinkStatus)
    verbs = tuple(LinkVerbWords.items())

    @property
    def is_filtered(self) -> bool:
        return bool(self.wanted.status or self.wanted.domain or self.wanted.source or self.wanted.search)


@dataclass(frozen=True, slots=True)
class DomainPage:
    """One domain with its links."""

    domain: DiscoveredDomain
    found: DomainLinks


@dataclass(frozen=True, slots=True)
class TriageConfirmation:
    """What a decision about many domains or links would do."""

    what: str  # domain or link
    action: str  # the address of its form
    verb: str
    word: str
    results: DomainResults | LinkResults
    selected: Sequence[str]
    back: str

    @property
    def refused(self) -> Sequence[tuple[str, str]]:
        if isinstance(self.results, DomainResults):
            found = [(each.domain, each.error) for each in self.results.results]
        else:
            found = [(each.url or each.id, each.error) for each in self.results.links]
        return [(name, why) for name, why in found if why is not None][:MOST_TOLD]


@dataclass(frozen=True, slots=True)
class PromotePage:
    """The source that a domain or the site of a link would become."""

    named: str
    source: PromotedSource

    modes = tuple(Mode)


@router.get("/discovered")
async def show_domains(
    request: Request,
    db: Db,
    paging: CursorPaging,
    state: DomainState | None = None,
    search: Chosen = "",
    hide_watched: bool = False,
) -> Response:
    wanted = DomainFilter(UNDECIDED if state is None else (state,), search, hide_watched=hide_watched)
    found = await list_domains(db, wanted, paging, datetime.now(UTC))
    page = DomainsPage(found, state, search, hide_watched)
    return render(request, "discovered/domains.html", page, title="Discovered domains")


@router.get("/discovered/links")
async def show_links(
    request: Request,
    db: Db,
    paging: CursorPaging,
    status: LinkStatus | None = None,
    domain: Chosen = "",
    source: Chosen = "",
    search: Chosen = "",
) -> Response:
    wanted = LinkFilter(status, domain or None, source or None, search)
    page = LinksPage(await list_links(db, wanted, paging), wanted)
    return render(request, "discovered/links.html", page, title="Discovered links")


@router.get("/discovered/domains/{domain}")
async def show_domain_page(request: Request, db: Db, paging: CursorPaging, domain: DomainName) -> Response:
    now = datetime.now(UTC)
    page = DomainPage(await show_domain(db, domain, now), await list_domain_links(db, domain, paging, now))
    return render(request, "discovered/domain.html", page, title=page.domain.domain)


@router.get("/discovered/confirm", Role.ADMIN)
async def confirm_domains(
    request: Request,
    db: Db,
    verb: DomainVerb,
    selected: Selected = [],  # noqa: B006 (pydantic copies it)
    back: Back = "",
) -> Response:
    _check(selected, MOST_DOMAINS, "domain")
    results = await decide_about_domains(db, selected, _STATES[verb], dry_run=True)
    path = back_path(request, back, "/discovered")
    page = TriageConfirmation(
        "domain", "/discovered", verb.value, _DOMAIN_WORDS[verb], results, selected, path
    )
    return render(request, "discovered/confirm.html", page, title=page.word)


@router.post("/discovered", "discovered_domain.decide")
async def decide_by_form(
    request: Request,
    db: Db,
    verb: Annotated[DomainVerb, Form()],
    selected: SelectedForm = [],  # noqa: B006 (pydantic copies it)
    back: BackForm = "",
) -> Response:
    _check(selected, MOST_DOMAINS, "domain")
    results = await decide_about_domains(db, selected, _STATES[verb])
    state = {"review": "marked for review", "ignore": "ignored", "restore": "restored"}[verb.value]
    told = _told(results.changed, results.refused, "domain", state)
    return done(request, back_path(request, back, "/discovered"), told)


@router.get("/discovered/links/confirm", Role.ADMIN)
async def confirm_links(
    request: Request,
    db: Db,
    context: Context,
    verb: LinkVerb,
    selected: Selected = [],  # noqa: B006 (pydantic copies it)
    back: Back = "",
) -> Response:
    _check(selected, MOST_LINKS, "link")
    settings = context.settings
    results = await change_links(db, selected, verb, settings.frontier, settings.jobs, dry_run=True)
    path = back_path(request, back, "/discovered")
    page = TriageConfirmation(
        "link", "/discovered/links", verb.value, LinkVerbWords[verb], results, selected, path
    )
    return render(request, "discovered/confirm.html", page, title=page.word)


@router.post("/discovered/links", "discovered_link.change", in_transaction=False)
async def change_links_by_form(
    request: Request,
    db: Db,
    context: Context,
    verb: Annotated[LinkVerb, Form()],
    selected: SelectedForm = [],  # noqa: B006 (pydantic copies it)
    back: BackForm = "",
) -> Response:
    _check(selected, MOST_LINKS, "link")
    settings = context.settings
    results = await change_links(db, selected, verb, settings.frontier, settings.jobs)
    words = {"fetch": "queued", "ignore": "ignored", "restore": "restored", "remove": "forgotten"}
    told = _told(results.changed, results.refused, "link", words[verb.value])
    return done(request, back_path(request, back, "/discovered/links"), told)


@router.get("/discovered/promote", Role.ADMIN)
async def preview_promotion(
    request: Request,
    db: Db,
    context: Context,
    named: Annotated[str, Query(min_length=1, max_length=LONGEST_URL)],
) -> Response:
    source = await promote_to_source(db, named, {}, context.settings.frontier, dry_run=True)
    return render(request, "discovered/promote.html", PromotePage(named, source), title="Watch a site")


@router.post("/discovered/promote", "discovered_domain.promote")
async def promote_by_form(
    request: Request,
    db: Db,
    context: Context,
    named: Annotated[str, Form(min_length=1, max_length=LONGEST_URL)],
    name: ShortText = "",
    mode: Annotated[Mode, Form()] = Mode.FEED,
    labels: ShortText = "",
) -> Response:
    values = {"name": name or None, "mode": mode.value, "labels": labels or None}
    made = await promote_to_source(db, named, values, context.settings.frontier)
    return done(request, "/discovered", f"{made.name} is watched from now on.")


def _check(selected: Sequence[str], most: int, what: str) -> None:
    if not selected:
        raise InvalidInput(f"select at least one {what} in the list")
    if len(selected) > most:
        raise InvalidInput(f"select at most {most} {what}s at once")


def _told(changed: int, refused: int, what: str, state: str) -> str:
    told = f"{plural(changed, what)} {'is' if changed == 1 else 'are'} {state}."
    return told if not refused else f"{told} {plural(refused, what)} refused."
