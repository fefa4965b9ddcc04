"""A pid file is believed only while its process lives and serves this very directory."""

import os

import pytest

from outrider.db import postmaster


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(None, id="no file"),
        pytest.param("", id="empty"),
        pytest.param("not a number\n", id="no number"),
        pytest.param("-1\n", id="negative"),
        pytest.param(f"{os.getpid()}\n/elsewhere\n", id="a living stranger"),
        pytest.param(f"{2**22 - 1}\n/elsewhere\n", id="nobody"),
        pytest.param("9" * 30, id="no pid at all"),
    ],
)
def test_a_stale_pid_file_names_no_server(tmp_path, content):
    if content is not None:
        (tmp_path / "postmaster.pid").write_text(content)

    assert postmaster.find(tmp_path) is None


def test_pid_files_that_name_a_living_stranger_are_discarded(tmp_path):
    data, sockets = tmp_path / "data", tmp_path / "sockets"
    data.mkdir()
    sockets.mkdir()
    files = [data / "postmaster.pid", sockets / ".s.PGSQL.5432.lock"]
    for file in files:
        file.write_text(f"{os.getpid()}\n{data}\n")

    postmaster.discard_stale(data, sockets)

    assert not any(file.exists() for file in files)


def test_a_pid_file_of_the_dead_is_left_to_postgresql(tmp_path):
    file = tmp_path / "postmaster.pid"
    file.write_text(f"{2**22 - 1}\n{tmp_path}\n")

    postmaster.discard_stale(tmp_path, tmp_path)

    assert file.exists()
