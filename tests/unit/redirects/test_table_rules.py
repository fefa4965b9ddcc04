"""Whatever is done to a redirect table, every answer is one hop, and no live page is hidden."""

import contextlib
import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from outrider.errors import Conflict
from outrider.redirects.model import GONE, PERMANENT, TEMPORARY, Redirect, RedirectSource
from outrider.redirects.table import RedirectTable
from outrider.redirects.target import Target
from outrider.sites.model import DeleteFallback

PATHS = ["/", *(f"/{name}" for name in "abcdef"), "/a/a", "/a/b", "/b/a"]
paths = st.sampled_from(PATHS)
statuses = st.sampled_from([PERMANENT, TEMPORARY])
operations = st.one_of(
    st.tuples(st.just("rename"), paths, paths),
    st.tuples(st.just("move_below"), paths, paths),
    st.tuples(st.just("delete"), paths, st.lists(paths, max_size=2), st.sampled_from(DeleteFallback)),
    st.tuples(st.just("hide"), paths, st.lists(paths, max_size=2)),
    st.tuples(st.just("create"), paths, paths, statuses, st.sampled_from(["", "x=1", "x=2&y=3"])),
    st.tuples(st.just("replace"), paths, paths, statuses, st.just("")),
    st.tuples(st.just("live"), paths),
    st.tuples(st.just("remove"), paths),
    st.tuples(st.just("gone"), paths),
)


def apply(table: RedirectTable, operation: tuple) -> None:
    """Do one thing to the table, as an event, a person or a row of an import would."""
    match operation:
        case "rename", old, new:
            table.rename(old, new, "test")
        case "move_below", old, new:
            below = [path for path in table.live if path == old or path.startswith(old.rstrip("/") + "/")]
            table.move_below(old, new, below, "test")
        case "delete", path, parents, fallback:
            table.delete(path, parents, fallback, "test")
        case "hide", path, parents:
            table.hide(path, parents, "test")
        case "create", path, to, status, query:
            table.create(Redirect(path, Target(to, query), status), "test", confirm_root=True)
        case "replace", path, to, status, query:
            table.replace(Redirect(path, Target(to, query), status), "test", confirm_root=True)
        case "live", path:
            table.becomes_live(path, "test")
        case "remove", path:
            table.remove(path, "test")
        case "gone", path:
            table.create(Redirect(path, None, GONE), "test", confirm_root=True)


def check(table: RedirectTable) -> None:
    """The two facts that hold after every operation."""
    for redirect in table:
        assert redirect.from_path not in table.live, "a redirect hides a live page"
        assert redirect.to_key is None or table.get(redirect.to_key) is None, "a chain or a loop"
        assert (redirect.target is None) == (redirect.status == GONE)


@settings(max_examples=500)
@given(st.lists(operations, max_size=40))
def test_no_loop_no_chain_and_no_redirect_from_a_live_path_after_any_sequence(done):
    table = RedirectTable()
    for operation in done:
        with contextlib.suppress(Conflict):
            apply(table, operation)
        check(table)


@settings(max_examples=200)
@given(st.lists(operations, max_size=40))
def test_the_noted_changes_lead_from_the_first_table_to_the_last(done):
    """The database and the middleware get the changes only."""
    table = RedirectTable()
    for operation in done:
        with contextlib.suppress(Conflict):
            apply(table, operation)

    replayed: dict[str, Redirect] = {}
    for change in table.changes:
        assert replayed.get(change.from_path) == change.before
        if change.after is None:
            del replayed[change.from_path]
        else:
            replayed[change.from_path] = change.after
    assert replayed == {each.from_path: each for each in table}


@given(st.lists(st.sampled_from(PATHS[1:]), min_size=2, max_size=30))
def test_every_former_name_of_a_page_leads_to_its_present_name(names):
    table = RedirectTable(live=names[:1])
    for old, new in itertools.pairwise(names):
        table.rename(old, new, "test")

    for name in set(names) - {names[-1]}:
        assert table.get(name).to == names[-1]
    assert table.get(names[-1]) is None


def test_a_rename_creates_a_permanent_redirect_and_no_change_creates_none():
    table = RedirectTable(live=["/a"])

    assert table.rename("/a", "/a", "saved") is False
    assert len(table) == 0
    assert table.rename("/a", "/b", "saved") is True

    [made] = table
    assert (made.from_path, made.to, made.status) == ("/a", "/b", 301)
    assert made.source is RedirectSource.AUTO_SLUG_CHANGE


def test_a_page_that_is_renamed_back_is_reachable_again():
    table = RedirectTable(live=["/a"])
    table.rename("/a", "/b", "there")

    table.rename("/b", "/a", "and back")

    assert table.get("/a") is None
    assert table.get("/b").to == "/a"


def test_chains_are_flattened_in_both_directions():
    table = RedirectTable()
    table.create(Redirect("/b", Target("/c")), "first")
    table.create(Redirect("/a", Target("/b", "x=1")), "to a redirected path")
    assert table.get("/a").to == "/c?x=1"

    table.create(Redirect("/c", Target("/d", "y=2"), TEMPORARY), "from a target")

    assert [
        (each.from_path, each.to, each.status) for each in sorted(table, key=lambda each: each.from_path)
    ] == [
        ("/a", "/d?y=2&x=1", 302),
        ("/b", "/d?y=2", 302),
        ("/c", "/d?y=2", 302),
    ]


def test_loops_and_redirects_to_itself_are_refused_also_with_a_query():
    table = RedirectTable()
    table.create(Redirect("/a", Target("/b")), "first")

    with pytest.raises(Conflict, match="lead to itself: /a leads back to it"):
        table.create(Redirect("/b", Target("/a")), "back")
    with pytest.raises(Conflict, match="/c would lead to itself"):
        table.create(Redirect("/c", Target("/c", "page=2")), "with a query")
    with pytest.raises(Conflict, match="/a would lead to itself"):
        table.replace(Redirect("/a", Target("/a", "x=1")), "edited")
    assert [each.from_path for each in table] == ["/a"]


def test_a_deleted_page_leads_to_its_parent_else_to_the_fallback():
    table = RedirectTable(live=["/shop", "/shop/a", "/shop/b", "/c", "/d", "/e"])

    table.delete("/shop/a", ["/shop"], DeleteFallback.ROOT, "sold")
    table.delete("/shop/b", ["/gone"], DeleteFallback.ROOT, "its parent is unknown")
    table.delete("/c", [], DeleteFallback.GONE, "sold")
    table.delete("/d", [], DeleteFallback.NONE, "sold")

    assert {each.from_path: (each.to, each.status) for each in table} == {
        "/shop/a": ("/shop", 301),
        "/shop/b": ("/", 301),
        "/c": (None, 410),
    }


def test_a_repeated_event_neither_duplicates_nor_overwrites():
    table = RedirectTable(live=["/a"])
    table.rename("/a", "/b", "first")
    table.rename("/b", "/c", "second")

    assert table.rename("/a", "/b", "first again") is False

    assert table.get("/a").to == "/c"
    assert table.get("/b").to == "/c"


def test_the_home_page_is_redirected_only_after_a_second_confirmation():
    table = RedirectTable()

    with pytest.raises(Conflict, match="home page"):
        table.create(Redirect("/", Target("/a")), "by accident")
    assert table.delete("/", [], DeleteFallback.GONE, "never by an event") is False
    table.create(Redirect("/", Target("/a")), "on purpose", confirm_root=True)

    assert table.get("/").to == "/a"


def test_a_live_page_cannot_be_redirected():
    with pytest.raises(Conflict, match="live page"):
        RedirectTable(live=["/a"]).create(Redirect("/a", Target("/b")), "by hand")


@pytest.mark.parametrize(("old", "new"), [("/a", "/a/a"), ("/a/a", "/a"), ("/a", "/z")])
def test_a_collection_moves_with_the_paths_below_it(old: str, new: str):
    live = [old, f"{old}/a", f"{old}/a/a", f"{old}/b"]
    table = RedirectTable(live=live)

    moved = dict(table.move_below(old, new, live, "renamed"))

    assert moved == {path: new + path[len(old) :] for path in live}
    assert table.live == set(moved.values())
    for path in set(live) - table.live:
        assert table.get(path).to == moved[path]
    check(table)


class CountingDict(dict):
    """Counts how often it is read as a whole."""

    scans = 0

    def __iter__(self):
        self.scans += 1
        return super().__iter__()

    def values(self):
        self.scans += 1
        return super().values()

    def items(self):
        self.scans += 1
        return super().items()


def test_a_loop_is_found_without_reading_the_whole_table():
    table = RedirectTable(Redirect(f"/{n}", Target(f"/to/{n}")) for n in range(1_000))
    table._by_source, table._by_target = CountingDict(table._by_source), CountingDict(table._by_target)

    with pytest.raises(Conflict):
        table.create(Redirect("/to/5", Target("/5")), "a loop")
    table.create(Redirect("/to/6", Target("/new")), "no loop")

    assert (table._by_source.scans, table._by_target.scans) == (0, 0)
    assert table.get("/6").to == "/new"
