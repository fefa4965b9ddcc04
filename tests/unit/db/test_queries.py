"""Named queries: found by name, and a file that cannot be right is refused when it is loaded."""

import itertools
from collections.abc import Callable
from pathlib import Path

import pytest

from outrider.db.queries import Queries

_numbers = itertools.count()

Load = Callable[[dict[str, str]], Queries]


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Load:
    """Load a package made of these files."""
    package = f"package_with_sql_{next(_numbers)}"
    folder = tmp_path / package / "sql"
    folder.mkdir(parents=True)
    (tmp_path / package / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)

    def loaded(sources: dict[str, str]) -> Queries:
        for name, text in sources.items():
            (folder / name).write_text(text)
        return Queries.load(package)

    return loaded


def test_a_query_is_the_text_between_two_names(load: Load):
    sql = load({"a.sql": "-- About.\n\n-- name: one\n-- why\nSELECT 1;\n\n-- name: two\nSELECT 2;\n"})

    assert sql.one == "-- why\nSELECT 1;"
    assert sql.two == "SELECT 2;"
    assert list(sql) == ["one", "two"]


def test_a_named_constant_is_filled_in_and_other_braces_stay(load: Load):
    sql = load({"a.sql": "-- name: one\nSELECT {kind_feed}, '{}', '{1,2}', '{{kind_page},{kind_feed}}'"})

    assert sql.one == "SELECT 2, '{}', '{1,2}', '{0,2}'"


def test_all_files_of_the_folder_count_and_nothing_else(load: Load):
    sql = load({"a.sql": "-- name: a\nSELECT 1", "b.sql": "-- name: b\nSELECT 2", "c.txt": "no SQL"})

    assert set(sql) == {"a", "b"}


def test_a_query_that_is_not_there_is_named_in_the_error(load: Load):
    sql = load({"a.sql": "-- name: one\nSELECT 1"})

    with pytest.raises(AttributeError, match="no query named 'other'"):
        _ = sql.other


@pytest.mark.parametrize(
    ("sources", "sentence"),
    [
        pytest.param({}, "has no named query", id="no file"),
        pytest.param({"a.sql": ""}, "has no named query", id="empty file"),
        pytest.param({"a.sql": "-- name: a\nSELECT {kind_book}"}, "unknown constants: kind", id="constant"),
        pytest.param({"a.sql": "SELECT 1;\n-- name: a\nSELECT 1"}, "SQL before the first", id="no name"),
        pytest.param({"a.sql": "-- name:\nSELECT 1"}, "cannot be the name", id="empty name"),
        pytest.param({"a.sql": "-- name: a-b\nSELECT 1"}, "cannot be the name", id="name with a dash"),
        pytest.param({"a.sql": "-- name: a\n-- only words\n"}, "'a' is empty", id="no statement"),
        pytest.param({"a.sql": "-- name: a\nSELECT 1\n-- name: a\nSELECT 2"}, "second time", id="twice"),
        pytest.param(
            {"a.sql": "-- name: a\nSELECT 1", "b.sql": "-- name: a\nSELECT 2"},
            "second time",
            id="twice in a folder",
        ),
    ],
)
def test_what_cannot_be_right_is_refused_at_load(load: Load, sources, sentence):
    with pytest.raises(ValueError, match=sentence):
        load(sources)
