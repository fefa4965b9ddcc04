"""Backups as a user makes and restores them: nothing that was learned before a backup is lost."""

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.support.backups import connection_to, execute
from tests.support.command import Ran, outrider, outrider_here, outrider_here_meanwhile
from tests.support.database import this_run
from tests.support.site import Plan, Site

from outrider.backup.files import BackupFolder
from outrider.backup.model import Manifest
from outrider.db import migrate
from outrider.db.embedded import EmbeddedPostgres
from outrider.db.migrations import KNOWN

PAGES, FIRST = 12, 4


@dataclass(frozen=True, slots=True)
class Crawled:
    """A crawl that stopped in the middle, and its backup."""

    site: Site
    data: Path
    backup: str
    stats: dict

    @property
    def folder(self) -> Path:
        return self.data / "backups"

    def run(self, *command: str, data: Path | None = None, stdin: bytes = b"") -> Ran:
        return outrider(*command, settings={"OUTRIDER_DATA": str(data or self.data)}, stdin=stdin)

    def look(self, *command: str, data: Path | None = None) -> Ran:
        return outrider_here(*command, settings={"OUTRIDER_DATA": str(data or self.data)})

    def contents(self, data: Path | None = None) -> dict:
        return contents_of(self.look("stats", "--json", data=data).json)


def contents_of(stats: dict) -> dict:
    return {name: stats[name] for name in ("states", "documents", "requests", "sources")}


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crawled]:
    data = this_run() / f"backups-{os.getpid()}"
    with Site.start(tmp_path_factory.mktemp("site"), Plan(pages=PAGES)) as site:
        found = Crawled(site, data, "", {})
        ran = found.run("crawl", site.url, "--max-pages", str(FIRST), "--workers", "1", "--quiet")
        assert ran.code == 0, ran.err
        stats = found.contents()
        made = found.run("backup", "--json")
        assert made.code == 0, made.err
        yield Crawled(site, data, made.json["backup"]["name"], stats)
    shutil.rmtree(data, ignore_errors=True)


@pytest.mark.timeout(240)
def test_a_restored_crawl_is_as_it_was_and_goes_on(crawled):
    known = sum(crawled.stats["states"].values())
    cleared = crawled.look("clear", "--yes")
    assert cleared.code == 0, cleared.err
    changed = crawled.contents()
    assert changed != crawled.stats

    unanswered = crawled.run("restore", crawled.backup)
    assert (unanswered.code, "not confirmed, so nothing was done" in unanswered.err) == (1, True)
    assert f"with {known} URLs and {FIRST} pages?" in unanswered.err
    assert crawled.contents() == changed
    restored = crawled.run("restore", crawled.backup, "--yes")

    assert restored.code == 0, restored.err
    assert "rows as in the backup" in restored.out
    assert "is kept as outrider_before_" in restored.out
    assert crawled.contents() == crawled.stats
    before = len(crawled.site.log())
    went_on = crawled.run("crawl", crawled.site.url, "--max-pages", "100", "--workers", "1", "--quiet")
    assert went_on.code == 0, went_on.err
    pages = [hit.path for hit in crawled.site.log()[before:] if hit.path != "/robots.txt"]
    assert len(pages) == len(set(pages)) == PAGES - FIRST
    assert crawled.look("stats", "--json").json["documents"] == PAGES


@pytest.mark.timeout(240)
def test_a_backup_is_restored_on_a_new_machine(crawled):
    new = this_run() / f"new-{os.getpid()}"
    try:
        restored = crawled.run(
            "restore", str(crawled.folder / f"{crawled.backup}.dump"), "--yes", "--json", data=new
        )

        assert restored.code == 0, restored.err
        assert restored.json["kept_as"] is None
        assert crawled.contents(new) == crawled.stats
        listed = crawled.look("backup", "list", data=new)
        assert listed.out == f"There is no backup in {new}/backups yet. `outrider backup` writes one.\n"
    finally:
        shutil.rmtree(new, ignore_errors=True)


@pytest.mark.timeout(240)
def test_backups_are_listed_and_verified_and_a_truncated_one_fails(crawled):
    listed = crawled.look("backup", "list")
    assert (crawled.backup in listed.out, "verified" in listed.out) == (True, True)
    tested = crawled.look("backup", "verify", crawled.backup, "--restore", "--json")
    assert tested.code == 0, tested.err
    assert tested.json["recovery_test"]["pages"] == FIRST
    dump = crawled.folder / f"{crawled.backup}.dump"
    damaged = crawled.folder.with_name("damaged")
    shutil.copytree(crawled.folder, damaged)
    os.truncate(damaged / dump.name, dump.stat().st_size - 1)

    failed = crawled.look("backup", "verify", str(damaged / dump.name))
    refused = crawled.look("restore", str(damaged / dump.name), "--yes")

    assert (failed.code, "is damaged: the dump has" in failed.out) == (1, True)
    assert (refused.code, "cannot be restored" in refused.err) == (2, True)
    assert crawled.look("doctor", "--json").json["checks"]
    shutil.rmtree(damaged)


@pytest.mark.timeout(240)
def test_a_database_with_live_processes_is_not_replaced(crawled):
    environment = os.environ | {"OUTRIDER_DATA": str(crawled.data)}
    with subprocess.Popen(
        [sys.executable, "-m", "outrider", "scheduler"], env=environment, stderr=subprocess.PIPE
    ) as scheduler:
        try:
            until = time.monotonic() + 30
            while (
                "outrider scheduler" not in (refused := crawled.look("restore", crawled.backup, "--yes")).err
            ):
                assert time.monotonic() < until, refused.err
            assert refused.code == 1
            assert "Stop `outrider serve` and every other command first" in refused.err
        finally:
            scheduler.send_signal(signal.SIGINT)
            scheduler.communicate(timeout=60)


@pytest.mark.timeout(240)
def test_a_backup_that_is_killed_leaves_nothing_that_looks_like_one(crawled):
    before = crawled.look("backup", "list", "--json").json["items"]
    environment = os.environ | {"OUTRIDER_DATA": str(crawled.data)}
    with subprocess.Popen([sys.executable, "-m", "outrider", "backup"], env=environment) as writing:
        until = time.monotonic() + 30
        while not list(crawled.folder.glob("*.partial")):
            assert time.monotonic() < until
            assert writing.poll() is None, "it was written before it could be killed"
        writing.kill()

    assert crawled.look("backup", "list", "--json").json["items"] == before
    with EmbeddedPostgres(crawled.data, {}) as server:
        # What a minute of silence would do.
        asyncio.run(execute(server.dsn, "UPDATE maintenance_task SET beat_at = now() - interval '1 hour'"))
        after = crawled.look("backup", "--quiet")
    assert after.code == 0, after.err
    assert list(crawled.folder.glob("*.partial")) == []
    assert len(crawled.look("backup", "list", "--json").json["items"]) == len(before) + 1


async def test_a_database_of_an_older_version_is_backed_up_as_it_is(empty_database, tmp_path):
    newest = max(migration.version for migration in KNOWN)
    async with connection_to(empty_database) as db:
        await migrate.up(db, to=newest - 1)
    settings = {"OUTRIDER_DATABASE_URL": empty_database, "OUTRIDER_BACKUP_DIR": str(tmp_path / "b")}

    made = await outrider_here_meanwhile("backup", "--json", settings=settings)

    assert made.code == 0, made.err
    assert made.json["backup"]["schema"] == newest - 1
    async with connection_to(empty_database) as db:
        assert (await migrate.status(db)).version == newest - 1


async def test_a_database_without_tables_has_nothing_to_back_up(empty_database, tmp_path):
    settings = {"OUTRIDER_DATABASE_URL": empty_database, "OUTRIDER_BACKUP_DIR": str(tmp_path / "b")}

    refused = await outrider_here_meanwhile("backup", settings=settings)

    assert (refused.code, "there is nothing to back up yet" in refused.err) == (1, True)
    assert not (tmp_path / "b").exists()


async def test_a_recovery_test_that_would_fill_the_disk_is_refused(tmp_path):
    folder = BackupFolder(tmp_path / "backups")
    folder.prepare()
    now = datetime.now(UTC)
    with folder.new(now) as new:
        new.write(b"dump")
        new.commit(Manifest(now, "1", 1, "18.6", 1 << 60, 4, new.sync(), 0, {}))

    refused = await outrider_here_meanwhile(
        "backup", "verify", "--restore", settings={"OUTRIDER_DATA": str(tmp_path)}
    )

    assert (refused.code, "free some space first" in refused.err) == (1, True)
