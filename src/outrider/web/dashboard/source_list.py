"""`/sources`: which sites are watched, which need a look, and changes of many at once (UI-09)."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from fastapi import Form, Query
from starlette.requests import Request
from starlette.responses import Response

from outrider.auth.model import Role
from outrider.errors import InvalidInput
from outrider.services.paging import ListPage
from outrider.services.sources.bulk import (
    SourceCommand,
    SourceResults,
    SourceSelection,
    SourceVerb,
    change_sources,
)
from outrider.services.sources.lists import ListedSource, list_sources
from outrider.sources.model import Mode, Source, SourceFilter, SourceSort
from outrider.sources.source_changes import read_changes
from outrider.watch.overview import WatchOverview, count_sources
from outrider.web.dashboard.forms import MOST_TOLD, Chosen, Selected, SelectedForm, ShortText
from outrider.web.dashboard.pages import PageRouter, done
from outrider.web.dashboard.rendering import render
from outrider.web.dashboard.way_back import back_path
from outrider.web.dependencies import Context, Db, Paging
from outrider.wording import count, plural

router = PageRouter()

VERB_WORDS = {
    SourceVerb.ENABLE: "Enable",
    SourceVerb.DISABLE: "Disable",
    SourceVerb.LABEL: "Label",
    SourceVerb.REMOVE: "Remove",
}
_DONE = {
    SourceVerb.ENABLE: "watched again",
    SourceVerb.DISABLE: "disabled",
    SourceVerb.LABEL: "labelled",
    SourceVerb.REMOVE: "removed; pages and history stay",
}


class SourceStateChoice(StrEnum):
    """The filter by state."""

    ENABLED = "enabled"
    DISABLED = "disabled"
    FAILING = "failing"
    SILENT = "silent"


_STATES = {
    SourceStateChoice.ENABLED: {"enabled": True},
    SourceStateChoice.DISABLED: {"enabled": False},
    SourceStateChoice.FAILING: {"failing": True},
    SourceStateChoice.SILENT: {"silent": True},
}


@dataclass(frozen=True, slots=True)
class SourcesPage:
    """The list of sources with its filters."""

    sources: ListPage[ListedSource]
    search: str
    label: str
    mode: Mode | None
    state: SourceStateChoice | None
    sort: SourceSort
    watched: WatchOverview

    verbs = tuple(VERB_WORDS.items())

    @property
    def answer(self) -> str:
        """How many sources fit, or how many are watched and how many of them need attention."""
        total, watched = self.sources.total, self.watched
        if self.is_filtered:
            return f"{plural(total, 'source')} {'fits' if total == 1 else 'fit'} these filters."
        parts = [f"{plural(watched.sources, 'source')} watched"]
        parts += [f"{count(watched.failing)} failing"] if watched.failing else []
        parts += [f"{count(watched.silent)} without a feed"] if watched.silent else []
        parts += [f"{count(disabled)} disabled"] if (disabled := total - watched.sources) > 0 else []
        return f"{', '.join(parts)}."

    @property
    def is_filtered(self) -> bool:
        return bool(self.search or self.label or self.mode or self.state)

    @property
    def can_take_all(self) -> bool:
        """Whether a command can name all that match: by label and search, not by state or mode."""
        return bool((self.search or self.label) and not self.mode and not self.state)

    def allowed(self, source: Source) -> str:
        return f"{'disable' if source.enabled else 'enable'} label remove"


@dataclass(frozen=True, slots=True)
class SourceConfirmation:
    """What a change of many sources would do."""

    verb: SourceVerb
    word: str
    results: SourceResults
    selected: Sequence[str]
    label: str
    search: str
    back: str

    @property
    def refused(self) -> Sequence[tuple[str, str]]:
        found = [(each.name, each.error) for each in self.results.sources if each.error is not None]
        return found[:MOST_TOLD]


@router.get("/sources")
async def show_sources(
    request: Request,
    db: Db,
    paging: Paging,
    search: Chosen = "",
    label: Chosen = "",
    mode: Annotated[str, Query(max_length=10)] = "",
    state: Annotated[str, Query(max_length=10)] = "",
    sort: SourceSort = SourceSort.NAME,
) -> Response:
    chosen = SourceStateChoice(state) if state in list(SourceStateChoice) else None
    kind = Mode(mode) if mode in list(Mode) else None
    more = _STATES[chosen] if chosen else {}
    wanted = SourceFilter(search, mode=kind, label=label or None, sort=sort, **more)
    sources = await list_sources(db, wanted, paging)
    page = SourcesPage(sources, search, label, kind, chosen, sort, await count_sources(db))
    return render(request, "sources/sources.html", page, title="Sources")


@router.get("/sources/bulk/confirm", Role.ADMIN)
async def confirm_sources(
    request: Request,
    db: Db,
    context: Context,
    verb: SourceVerb,
    selected: Selected = [],  # noqa: B006 (pydantic copies it)
    matching: bool = False,
    label: Chosen = "",
    search: Chosen = "",
    back: Annotated[str, Query(max_length=2_000)] = "",
) -> Response:
    """A dry run: every change is made and rolled back, so the numbers are those of this moment."""
    selection = _selection(selected, label, search, matching=matching)
    command = SourceCommand(verb, "a dry run")
    results = await change_sources(db, selection, command, context.settings.frontier, dry_run=True)
    names = [] if matching else selected
    path = back_path(request, back, "/sources")
    page = SourceConfirmation(verb, VERB_WORDS[verb], results, names, label, search, path)
    return render(request, "sources/confirm.html", page, title=f"{page.word} sources")


@router.post("/sources/bulk", "source.bulk", in_transaction=False)
async def change_sources_by_form(
    request: Request,
    db: Db,
    context: Context,
    verb: Annotated[SourceVerb, Form()],
    selected: SelectedForm = [],  # noqa: B006 (pydantic copies it)
    matching: Annotated[bool, Form()] = False,
    label: ShortText = "",
    search: ShortText = "",
    reason: ShortText = "",
    add_labels: ShortText = "",
    remove_labels: ShortText = "",
    back: Annotated[str, Form(max_length=2_000)] = "",
) -> Response:
    command = _command(verb, reason, add_labels, remove_labels)
    selection = _selection(selected, label, search, matching=matching)
    results = await change_sources(db, selection, command, context.settings.frontier)
    told = f"{plural(results.changed, 'source')} {'is' if results.changed == 1 else 'are'} {_DONE[verb]}."
    if results.refused:
        why = next(each.error for each in results.sources if each.error is not None)
        told += f" {plural(results.refused, 'source')} refused, the first because {why}."
    path = "/sources" if verb is SourceVerb.REMOVE else back_path(request, back, "/sources")
    return done(request, path, told, kind="success" if results.changed else "danger")


def _command(verb: SourceVerb, reason: str, added: str, removed: str) -> SourceCommand:
    if verb is SourceVerb.DISABLE and not reason.strip():
        raise InvalidInput("a disabled source needs a reason, for later readers")
    labels = [read_changes({"labels": text}).checked().labels or () for text in (added, removed)]
    if verb is SourceVerb.LABEL and not any(labels):
        raise InvalidInput("name at least one label to add or to take away")
    return SourceCommand(verb, reason.strip()[:500], labels[0], labels[1])


def _selection(selected: Sequence[str], label: str, search: str, *, matching: bool) -> SourceSelection:
    if matching:
        if not (label or search):
            raise InvalidInput("filter by label or text first, then take all that match")
        return SourceSelection(label=label or None, search=search)
    if not selected:
        raise InvalidInput("select at least one source in the list")
    return SourceSelection(selected)
