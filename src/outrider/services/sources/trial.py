"""Use cases of `outrider source test`: read one page as a source would, and save proposed selectors."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import asyncpg

from outrider.errors import NotFound
from outrider.extract.recipe.selectors import Selectors
from outrider.frontier.options import FrontierOptions
from outrider.frontier.store import FrontierStore
from outrider.services.fetch.polite import FetchOne
from outrider.sources.model import Source
from outrider.sources.source_changes import SourceChanges
from outrider.sources.store import SourceStore
from outrider.watch.source_service import SourceService
from outrider.watch.trial import Trial, test_extraction


@dataclass(frozen=True, slots=True)
class PageTrial:
    """The fields of a page, and proposed selectors: empty if none fit, None if not asked for."""

    trial: Trial
    proposal: Mapping[str, Any] | None = None

    def json_form(self) -> dict[str, Any]:
        proposal = {} if self.proposal is None else {"proposal": self.proposal}
        return _trial_form(self.trial) | proposal


async def source_of_page(db: asyncpg.Connection, url: str) -> Source | None:
    """The source that a page belongs to by its host."""
    store = SourceStore()
    async with db.transaction():
        try:
            return await store.find(db, str(await store.source_for(db, url)))
        except NotFound:
            return None


async def try_page(
    fetch_one: FetchOne,
    url: str,
    selectors: Mapping[str, Any],
    template: str | None,
    now: datetime,
    *,
    proposes: bool = False,
) -> PageTrial:
    """Extract the fields of a page without storing them; raises InvalidInput for an unknown template."""
    trial = await test_extraction(fetch_one, url, Selectors.from_json(selectors), template)
    return PageTrial(trial, trial.proposal(now) if proposes else None)


async def save_selectors(
    db: asyncpg.Connection, source: Source, selectors: Mapping[str, Any], options: FrontierOptions
) -> None:
    """Read the pages of a source by these selectors from now on."""
    async with db.transaction():
        await SourceService(FrontierStore(options)).change(db, source, SourceChanges(selectors=selectors))


def _trial_form(trial: Trial) -> dict[str, Any]:
    extracted = trial.extracted
    form: dict[str, Any] = {"ok": trial.is_ok, "url": trial.single.url, "status": trial.single.status}
    if extracted is None:
        return form | {"reason": trial.single.reason}
    return form | {
        "page_type": extracted.page_type,
        "method": extracted.method,
        "words": extracted.words,
        "template": extracted.template,
        "unindexed": trial.unindexed,
        "fields": {each.name: {"value": str(each.value), "from": each.origin} for each in trial.fields},
        "listed": extracted.listed,
    }
