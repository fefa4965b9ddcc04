"""The state that the lanes of one worker share."""

from collections.abc import Mapping
from dataclasses import dataclass

from outrider.crawl.context import VisitContext
from outrider.crawl.visit import Handler
from outrider.frontier.model import EntryKind


@dataclass(slots=True, kw_only=True)
class WorkerContext(VisitContext):
    """The state that visits share, and the handler for each kind of entry."""

    handlers: Mapping[EntryKind, Handler]
