"""The rules of a redirect table. Pure: it holds redirects and live paths in memory, and notes each change.

Two facts hold after every operation:

1. No redirect leads from a live path: the page would be unreachable.
2. No redirect leads to the source of another one. So there is no chain and no loop.

Every operation looks up sources and targets directly, so its cost does not depend on the size of the table.
A table may be a part of a larger one: an operation needs the redirects from the paths that it names, the
redirects to the path that it redirects, and whether these paths are live.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from outrider.errors import Conflict
from outrider.redirects.model import (
    GONE,
    PERMANENT,
    TEMPORARY,
    ChangeAction,
    Redirect,
    RedirectSource,
    TableChange,
    status_through,
)
from outrider.redirects.target import Target
from outrider.sites.model import DeleteFallback
from outrider.sites.paths import ROOT


class RedirectTable:
    """Redirects by source and by target, and which paths are live."""

    def __init__(self, redirects: Iterable[Redirect] = (), live: Iterable[str] = ()) -> None:
        self._by_source: dict[str, Redirect] = {}
        self._by_target: dict[str, set[str]] = {}
        self.live = set(live)
        self.changes: list[TableChange] = []
        for each in redirects:
            self._put(each)

    def __iter__(self) -> Iterator[Redirect]:
        return iter(self._by_source.values())

    def __len__(self) -> int:
        return len(self._by_source)

    def get(self, path: str) -> Redirect | None:
        """The redirect from a path."""
        return self._by_source.get(path)

    def create(self, redirect: Redirect, why: str, *, confirm_root: bool = False) -> Redirect:
        """Add a redirect, flattened; raises Conflict with the reason if the rules forbid it."""
        present = self.get(redirect.from_path)
        if present is not None:
            raise Conflict(
                f"{redirect.from_path} is redirected to {present.to or 'nothing (410)'}: edit that redirect"
            )
        flat = self._checked(redirect, confirm_root)
        self._add(flat, why)
        return flat

    def replace(self, redirect: Redirect, why: str, *, confirm_root: bool = False) -> Redirect:
        """Give a redirect another target or code (RDM-29); raises Conflict as `create` does."""
        present = self.get(redirect.from_path)
        if present is None:
            raise Conflict(f"there is no redirect from {redirect.from_path}")
        flat = self._checked(redirect, confirm_root)
        if flat != present:
            self._take(redirect.from_path)
            self._put(flat)
            self._note(ChangeAction.CHANGED, present, flat, why)
        return flat

    def remove(self, path: str, why: str) -> bool:
        """Remove the redirect from a path; False if there is none."""
        present = self._take(path)
        if present is not None:
            self._note(ChangeAction.REMOVED, present, None, why)
        return present is not None

    def becomes_live(self, path: str, why: str, returning: Iterable[Redirect] = ()) -> None:
        """A page exists at a path: a redirect from it would hide the page (RDM-10).

        `returning` are redirects as they were while they led to the path. Those that only went past it since
        lead to it again.
        """
        back = [
            (present, each)
            for each in returning
            if each.to_key == path and (present := self.get(each.from_path)) == self._through(each) != each
        ]
        self.remove(path, why)
        self.live.add(path)
        for present, each in back:
            self._take(each.from_path)
            self._put(each)
            self._note(ChangeAction.CHANGED, present, each, f"{why}; {path} is live again")

    def rename(self, old: str, new: str, why: str) -> bool:
        """A page moved (RDM-06). False if nothing moved, or if the event is a repetition (RDM-09)."""
        if old == new or (old not in self.live and old in self._by_source):
            return False
        self.becomes_live(new, why)
        self.live.discard(old)
        self._automatic(old, Target(new), PERMANENT, RedirectSource.AUTO_SLUG_CHANGE, why)
        return True

    def move_below(self, old: str, new: str, paths: Collection[str], why: str) -> Sequence[tuple[str, str]]:
        """A collection moved with the paths below it; returns each old and new path (RDM-08)."""
        moves = [(path, path_below(new, old, path)) for path in paths]
        # A path that moves out of the way must do so before another one takes its place.
        moves.sort(key=lambda move: len(move[0]), reverse=new.startswith(old))
        return [(path, to) for path, to in moves if self.rename(path, to, why)]

    def delete(self, path: str, parents: Sequence[str], fallback: DeleteFallback, why: str) -> bool:
        """A page is gone: visitors go to the first parent that has a page, else to the fallback (RDM-07)."""
        if path not in self.live and path in self._by_source:
            return False
        self.live.discard(path)
        for parent in parents:
            is_there = parent in self.live or parent in self._by_source
            if is_there and self._automatic(
                path, Target(parent), PERMANENT, RedirectSource.AUTO_DELETED, why
            ):
                return True
        if fallback is DeleteFallback.ROOT:
            return self._automatic(path, Target(ROOT), PERMANENT, RedirectSource.AUTO_DELETED, why)
        if fallback is DeleteFallback.GONE:
            return self._automatic(path, None, GONE, RedirectSource.AUTO_DELETED, why)
        return False

    def hide(self, path: str, parents: Sequence[str], why: str) -> bool:
        """A page is hidden for a while: visitors go to its parent, and browsers do not remember it."""
        self.live.discard(path)
        for parent in parents:
            is_there = parent in self.live or parent in self._by_source
            if is_there and self._automatic(
                path, Target(parent), TEMPORARY, RedirectSource.AUTO_DELETED, why
            ):
                return True
        return False

    def _automatic(
        self, path: str, target: Target | None, status: int, source: RedirectSource, why: str
    ) -> bool:
        """Add a redirect unless one exists or the rules forbid it. The home page is never redirected."""
        if path == ROOT or path in self._by_source:
            return False
        try:
            flat = self._checked(Redirect(path, target, status, source), confirm_root=False)
        except Conflict:
            return False
        self._add(flat, why)
        return True

    def _checked(self, redirect: Redirect, confirm_root: bool) -> Redirect:
        """The redirect with its final target; raises Conflict if it would hide a page or form a loop."""
        path = redirect.from_path
        if path in self.live:
            raise Conflict(f"{path} is a live page: a redirect would make it unreachable")
        if path == ROOT and not confirm_root:
            raise Conflict("this redirects the home page of the site: confirm that with confirm_root")
        flat = self._through(redirect)
        if flat.to_key == path:
            through = "" if redirect.to_key == path else f": {redirect.to_key} leads back to it"
            raise Conflict(f"{path} would lead to itself{through}")
        return flat

    def _through(self, redirect: Redirect) -> Redirect:
        """The redirect past that of its target. One step is enough: there are no chains."""
        further = None if redirect.to_key is None else self.get(redirect.to_key)
        if further is None or redirect.target is None or further.from_path == redirect.from_path:
            return redirect
        target = None if further.target is None else redirect.target.through(further.target)
        return replace(redirect, target=target, status=status_through(redirect.status, further.status))

    def _add(self, flat: Redirect, why: str) -> None:
        self._put(flat)
        self._note(ChangeAction.CREATED, None, flat, why)
        for path in sorted(self._by_target.get(flat.from_path, ())):
            before = self._by_source[path]
            after = self._through(before)
            self._take(path)
            self._put(after)
            self._note(ChangeAction.CHANGED, before, after, f"{why}; {flat.from_path} is redirected now")

    def _put(self, redirect: Redirect) -> None:
        self._by_source[redirect.from_path] = redirect
        if redirect.to_key is not None:
            self._by_target.setdefault(redirect.to_key, set()).add(redirect.from_path)

    def _take(self, path: str) -> Redirect | None:
        redirect = self._by_source.pop(path, None)
        if redirect is not None and redirect.to_key is not None:
            sources = self._by_target[redirect.to_key]
            sources.discard(path)
            if not sources:
                del self._by_target[redirect.to_key]
        return redirect

    def _note(self, action: ChangeAction, before: Redirect | None, after: Redirect | None, why: str) -> None:
        redirect = after or before
        assert redirect is not None
        self.changes.append(TableChange(action, redirect.from_path, before, after, why))


def path_below(new: str, old: str, path: str) -> str:
    """Where a path of the collection `old` is once the collection is at `new`."""
    rest = "" if path == old else path[len(old.rstrip("/")) :]
    return new.rstrip("/") + rest or ROOT
