"""Programs are chosen to fit the data that is there."""

import pytest

from outrider.db.binaries import choose, written_by
from outrider.errors import Misconfigured


@pytest.fixture
def program_folder(tmp_path):
    """Programs that call themselves PostgreSQL 16.4."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("postgres", "initdb", "pg_ctl"):
        (folder / name).write_text("#!/bin/sh\necho 'postgres (PostgreSQL) 16.4 (Debian 16.4-1)'\n")
        (folder / name).chmod(0o755)
    return folder


def test_a_new_database_takes_what_is_there(tmp_path, program_folder):
    chosen = choose(tmp_path / "data", program_folder)

    assert (chosen.version, chosen.major) == ("16.4", 16)
    assert chosen / "initdb" == program_folder / "initdb"


def test_programs_of_the_same_major_version_go_on(tmp_path, program_folder):
    (tmp_path / "PG_VERSION").write_text("16\n")

    assert choose(tmp_path, program_folder).major == 16


def test_programs_of_another_major_version_are_refused(tmp_path, program_folder):
    (tmp_path / "PG_VERSION").write_text("17\n")

    with pytest.raises(Misconfigured, match=r"written by PostgreSQL 17 and only 16\.4 is here: set"):
        choose(tmp_path, program_folder)


def test_programs_that_are_too_old_are_refused(tmp_path, program_folder):
    (program_folder / "postgres").write_text("#!/bin/sh\necho 'postgres (PostgreSQL) 14.9'\n")

    with pytest.raises(Misconfigured, match=r"needs PostgreSQL 15 or later and only 14\.9 is here"):
        choose(tmp_path / "data", program_folder)


@pytest.mark.parametrize("missing", ["postgres", "initdb", "pg_ctl"])
def test_a_folder_that_lacks_a_program_is_refused(tmp_path, program_folder, missing):
    (program_folder / missing).unlink()

    with pytest.raises(Misconfigured, match="holds no working PostgreSQL programs"):
        choose(tmp_path / "data", program_folder)


def test_a_directory_without_a_version_is_no_database_yet(tmp_path):
    assert written_by(tmp_path) is None
