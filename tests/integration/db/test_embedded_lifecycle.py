"""The embedded server is one, shared, kept, and gone when nobody needs it any more."""

import os
import shutil
import signal
from pathlib import Path

import asyncpg
import pytest
from tests.support.database import choices
from tests.support.embedded import QUICK, User, users, within

from outrider.cli.database import open_database
from outrider.cli.early_start import start_database
from outrider.db import postmaster
from outrider.db.embedded import EmbeddedPostgres
from outrider.db.home import Home
from outrider.db.locks import open_lock, try_lock
from outrider.settings import load

STOPS_WITHIN_S = 30


def home_of(root: Path) -> Home:
    return Home(root / "database")


def is_up(root: Path) -> bool:
    return postmaster.find(home_of(root).data) is not None


def has_keeper(root: Path) -> bool:
    return is_kept(home_of(root))


def is_kept(home: Home) -> bool:
    lock = open_lock(home.keeper_lock)
    try:
        return not try_lock(lock)
    finally:
        os.close(lock)


def keeper_pid(root: Path) -> int:
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            arguments = (folder / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if b"outrider.db.keeper" in arguments and os.fsencode(home_of(root).path) in arguments:
            return int(folder.name)
    raise AssertionError("there is no keeper")


async def run(dsn: str, statement: str) -> object:
    connection = await asyncpg.connect(dsn)
    try:
        return await connection.fetchval(statement)
    finally:
        await connection.close()


async def test_data_is_there_again_at_the_next_start(data_dir):
    with EmbeddedPostgres(data_dir, QUICK) as server:
        await run(server.dsn, "CREATE TABLE kept AS SELECT 7 AS n")
    assert within(STOPS_WITHIN_S, lambda: not is_up(data_dir))

    with EmbeddedPostgres(data_dir, QUICK) as server:
        assert await run(server.dsn, "SELECT n FROM kept") == 7


def test_the_last_clean_stop_needs_no_recovery(data_dir):
    with EmbeddedPostgres(data_dir, QUICK):
        pass
    assert within(STOPS_WITHIN_S, lambda: not is_up(data_dir))

    with EmbeddedPostgres(data_dir, QUICK):
        assert "not properly shut down" not in home_of(data_dir).log.read_text()


def test_eight_processes_at_once_share_one_server(data_dir):
    with users(data_dir, 8) as arrived:
        dsns = {user.dsn() for user in arrived}
        starts = home_of(data_dir).log.read_text().count("ready to accept connections")

    assert len(dsns) == 1
    assert dsns != {""}
    assert starts == 1


def test_a_worker_that_outlives_its_parent_keeps_the_server(data_dir):
    with EmbeddedPostgres(data_dir, QUICK) as server, users(data_dir, 1) as [worker]:
        assert worker.dsn() == server.dsn
        before = postmaster.find(home_of(data_dir).data)

        server.release()

        with EmbeddedPostgres(data_dir, QUICK):
            assert postmaster.find(home_of(data_dir).data) == before
        worker.leave()
    assert within(STOPS_WITHIN_S, lambda: not is_up(data_dir))


def test_the_server_stops_by_itself_after_all_its_users_were_killed(data_dir):
    with users(data_dir, 3) as arrived:
        assert all(user.dsn() for user in arrived)

        for user in arrived:
            user.die(signal.SIGKILL)

        assert within(STOPS_WITHIN_S, lambda: not is_up(data_dir))


def test_an_interrupt_from_the_terminal_reaches_neither_server_nor_keeper(data_dir):
    with EmbeddedPostgres(data_dir, QUICK):
        pass
    with users(data_dir, 1) as [first]:
        assert first.dsn()
        second = User.arrive(data_dir)
        assert second.dsn()

        first.die(signal.SIGINT)

        assert is_up(data_dir)
        assert has_keeper(data_dir)
        second.leave()
    assert within(STOPS_WITHIN_S, lambda: not is_up(data_dir))


@pytest.mark.parametrize("somebody_looks", [True, False], ids=["a supervisor looks", "nobody looks"])
@pytest.mark.skipif(not Path("/proc/self").exists(), reason="the keeper is found through /proc")
def test_a_killed_keeper_is_replaced_in_time(data_dir, somebody_looks):
    with EmbeddedPostgres(data_dir, QUICK) as server:
        os.kill(keeper_pid(data_dir), signal.SIGKILL)
        assert within(5, lambda: not has_keeper(data_dir))

        if somebody_looks:
            assert server.ensure_running() is False
            assert has_keeper(data_dir)

    assert within(STOPS_WITHIN_S, lambda: not is_up(data_dir))


async def test_a_killed_server_comes_back_with_every_committed_row_and_no_other(data_dir):
    with EmbeddedPostgres(data_dir, QUICK) as server:
        committed = await asyncpg.connect(server.dsn)
        await committed.execute("CREATE TABLE row (n int)")
        open_transaction = await asyncpg.connect(server.dsn)
        await open_transaction.execute("BEGIN; INSERT INTO row SELECT generate_series(100000, 200000)")
        await committed.execute("INSERT INTO row SELECT generate_series(1, 1000)")

        os.kill(postmaster.find(home_of(data_dir).data).pid, signal.SIGKILL)

        assert within(5, lambda: not is_up(data_dir))
        assert server.ensure_running() is True
        assert await run(server.dsn, "SELECT array[count(*), max(n)] FROM row") == [1000, 1000]
        assert server.ensure_running() is False
        committed.terminate()
        open_transaction.terminate()


def test_a_server_killed_ten_times_comes_back_ten_times(data_dir):
    with EmbeddedPostgres(data_dir, QUICK) as server, users(data_dir, 1) as [other]:
        assert other.dsn()
        for _ in range(10):
            os.kill(postmaster.find(home_of(data_dir).data).pid, signal.SIGKILL)
            assert within(5, lambda: not is_up(data_dir))
            assert server.ensure_running() is True


def test_a_keeper_leaves_a_server_alone_that_was_begun_anew_in_its_place(data_dir):
    with users(data_dir, 1) as [old]:
        assert old.dsn()
        forgotten = postmaster.find(home_of(data_dir).data)
        moved = Home(home_of(data_dir).path.rename(data_dir / "moved"))

        with EmbeddedPostgres(data_dir, QUICK) as new:
            old.leave()

            assert within(5, lambda: not is_kept(moved))
            assert new.ensure_running() is False
    os.kill(forgotten.pid, signal.SIGQUIT)


def test_leaving_a_directory_that_was_removed_is_quiet(data_dir):
    with EmbeddedPostgres(data_dir, QUICK):
        server = postmaster.find(home_of(data_dir).data)
        shutil.rmtree(home_of(data_dir).path)
    os.kill(server.pid, signal.SIGQUIT)


def test_a_pid_file_that_names_a_stranger_does_not_stop_the_start(data_dir):
    with EmbeddedPostgres(data_dir, QUICK):
        pass
    assert within(STOPS_WITHIN_S, lambda: not is_up(data_dir))
    data = home_of(data_dir).data
    (data / "postmaster.pid").write_text(f"{os.getpid()}\n{data}\n")

    with EmbeddedPostgres(data_dir, QUICK):
        assert is_up(data_dir)


def test_a_first_start_that_was_cut_off_leaves_nothing_in_the_way(data_dir):
    with users(data_dir, 1) as [user]:
        assert within(10, lambda: (home_of(data_dir).path / "data.half" / "PG_VERSION").exists())
        user.die()

    with EmbeddedPostgres(data_dir, QUICK) as server:
        assert server.dsn


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("deep" * 20 + "/" + "deeper" * 10, id="too long for a socket"),
        pytest.param("a, b", id="a comma"),
        pytest.param("it's (mine) & so on; ünï", id="what a shell or a quote would trip over"),
    ],
)
async def test_a_path_may_be_called_anything(data_dir, name):
    root = data_dir / name

    with EmbeddedPostgres(root, QUICK) as server:
        assert await run(server.dsn, "SELECT 1") == 1
        sockets = postmaster.find(home_of(root).data).socket_dir
    assert within(STOPS_WITHIN_S, lambda: not is_up(root))
    shutil.rmtree(sockets)


async def test_every_postgresql_of_this_machine_serves(data_dir):
    for found in choices():
        with EmbeddedPostgres(data_dir / found.version, QUICK, bindir=found.folder) as server:
            assert (
                await run(server.dsn, "SELECT current_setting('server_version_num')::int") // 10_000
                == found.major
            )
            assert await run(server.dsn, "SELECT lower('É')") == "é"
            assert await run(server.dsn, "SELECT 'a' > 'B'") is True
            assert await run(server.dsn, "SHOW timezone") == "UTC"


def test_a_database_is_gone_on_with_by_the_programs_that_wrote_it(data_dir):
    oldest = choices()[-1]
    with EmbeddedPostgres(data_dir, QUICK, bindir=oldest.folder):
        pass
    assert within(STOPS_WITHIN_S, lambda: not is_up(data_dir))

    with EmbeddedPostgres(data_dir, QUICK):
        assert is_up(data_dir)
    assert (home_of(data_dir).data / "PG_VERSION").read_text().strip() == str(oldest.major)


async def test_a_command_starts_a_server_again_that_died_before_its_first_connection(data_dir):
    loaded = load({"data": data_dir}, config=None)
    early = start_database(loaded.settings)
    assert early is not None
    assert early.result()
    os.kill(postmaster.find(home_of(data_dir).data).pid, signal.SIGKILL)
    assert within(5, lambda: not is_up(data_dir))

    async with open_database(loaded, early=early) as database:
        assert await database.pool.fetchval("SELECT count(*) FROM url") == 0
