"""Migration files never change: each has the checksum under which it was committed."""

from pathlib import Path

import pytest
from scripts.freeze_migrations import FOLDER, FROZEN, checksums, freeze, problems, read_frozen

from outrider.db.migrations import KNOWN


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one migration."""
    made = tmp_path / "migrations"
    made.mkdir()
    (made / "0001_first.up.sql").write_text("CREATE TABLE first ();")
    (made / "0001_first.down.sql").write_text("DROP TABLE first;")
    return made


@pytest.fixture
def frozen(folder: Path, tmp_path: Path) -> Path:
    """The list of that folder's files."""
    freeze(folder, tmp_path / "frozen.txt")
    return tmp_path / "frozen.txt"


def test_every_migration_is_as_it_was_committed():
    assert "\n".join(problems(checksums(FOLDER), read_frozen(FROZEN))) == ""


def test_both_directions_of_every_migration_are_listed():
    expected = {f"{each.label}.{direction}.sql" for each in KNOWN for direction in ("up", "down")}

    assert read_frozen(FROZEN).keys() == expected


def test_a_changed_file_is_to_be_restored(folder, frozen):
    (folder / "0001_first.up.sql").write_text("CREATE TABLE first (a int);")

    (sentence,) = problems(checksums(folder), read_frozen(frozen))

    assert "0001_first.up.sql has changed" in sentence
    assert "restore it" in sentence
    assert "write a new migration" in sentence


def test_a_new_file_is_to_be_frozen(folder, frozen):
    (folder / "0002_second.up.sql").write_text("")

    assert problems(checksums(folder), read_frozen(frozen)) == [
        "0002_second.up.sql is new: run `make freeze` and commit the line that it adds."
    ]
    assert freeze(folder, frozen) == ["0002_second.up.sql"]
    assert problems(checksums(folder), read_frozen(frozen)) == []


def test_a_removed_file_is_to_be_restored(folder, frozen):
    (folder / "0001_first.down.sql").unlink()

    (sentence,) = problems(checksums(folder), read_frozen(frozen))

    assert "0001_first.down.sql is gone: restore it" in sentence


def test_freezing_again_does_not_accept_a_change(folder, frozen):
    before = frozen.read_text()
    (folder / "0001_first.up.sql").write_text("CREATE TABLE first (a int);")

    assert freeze(folder, frozen) == []
    assert frozen.read_text() == before
