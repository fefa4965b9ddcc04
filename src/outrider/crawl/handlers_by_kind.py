"""The handler for each kind of entry. Most crawls meet only pages, and import no code for other kinds."""

from collections.abc import Callable, Iterator, Mapping

from outrider.crawl.visit import Handler
from outrider.frontier.model import EntryKind

MakeHandlers = Callable[[], Mapping[EntryKind, Handler]]


class HandlersByKind(Mapping[EntryKind, Handler]):
    """Handlers that exist, and others that are made when the first entry of their kind is visited."""

    def __init__(
        self, made: Mapping[EntryKind, Handler], on_demand: Mapping[EntryKind, MakeHandlers]
    ) -> None:
        """A function of `on_demand` may make the handlers of several kinds, which share something."""
        self._made = dict(made)
        self._on_demand = on_demand

    def __getitem__(self, kind: EntryKind) -> Handler:
        if kind not in self._made:
            self._made.update(self._on_demand[kind]())
        return self._made[kind]

    def __iter__(self) -> Iterator[EntryKind]:
        return iter(self._made.keys() | self._on_demand.keys())

    def __len__(self) -> int:
        return len(self._made.keys() | self._on_demand.keys())
