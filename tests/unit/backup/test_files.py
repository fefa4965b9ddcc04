"""The folder of backups: what looks like one is one, and nobody else reads it."""

import os
import stat
from datetime import UTC, datetime, timedelta

import pytest

from outrider.backup.files import BackupFolder, backup_of_file
from outrider.backup.model import Manifest
from outrider.errors import InvalidInput, Misconfigured, NotFound

NOW = datetime(2026, 5, 10, 2, tzinfo=UTC)


def manifest_of(created_at=NOW, **changes) -> Manifest:
    facts = {"verified_at": created_at, "problem": None} | changes
    return Manifest(created_at, "1.0", 31, "18.6", 9_000, 4, "ab", 3, {"url": 3, "document": 2}, **facts)


def put(folder: BackupFolder, created_at=NOW, **changes):
    folder.prepare()
    with folder.new(created_at) as new:
        new.write(b"dump")
        new.sync()
        return new.commit(manifest_of(created_at, **changes))


def mode(path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_manifest_is_read_as_it_was_written():
    manifest = manifest_of(problem="it is truncated")

    assert Manifest.parse(manifest.as_text()) == manifest
    assert not manifest.is_good


@pytest.mark.parametrize("text", ["", "{}", "[]", "null", '{"format": 2}', '{"format": 1}', "{"])
def test_what_is_no_manifest_is_refused(text):
    with pytest.raises(ValueError, match=r"\w"):
        Manifest.parse(text)


def test_a_backup_and_its_folder_are_readable_only_by_their_owner(tmp_path):
    path = tmp_path / "backups"
    path.mkdir(mode=0o755)
    before = os.umask(0)
    try:
        backup = put(BackupFolder(path))
    finally:
        os.umask(before)

    files = sorted(path.iterdir())
    assert [file.suffix for file in files] == [".dump", ".json"]
    assert mode(path) == 0o700
    assert [mode(file) for file in files] == [0o600, 0o600]
    assert backup.dump in files


def test_a_dump_that_was_not_finished_is_no_backup_and_leaves_nothing(tmp_path):
    folder = BackupFolder(tmp_path)
    folder.prepare()

    def fail_halfway() -> None:
        with folder.new(NOW) as new:
            new.write(b"half")
            assert folder.backups() == []
            raise OSError("disk")

    with pytest.raises(OSError, match="disk"):
        fail_halfway()

    assert list(tmp_path.iterdir()) == []


def test_leftovers_of_killed_processes_go_and_dumps_that_are_being_written_stay(tmp_path):
    folder = BackupFolder(tmp_path)
    folder.prepare()
    (tmp_path / "outrider-20260501T020000Z.dump.partial").write_bytes(b"half")
    (tmp_path / "notes.partial").write_bytes(b"of a person")

    with folder.new(NOW) as new:
        BackupFolder(tmp_path).prepare()

        assert sorted(file.name for file in tmp_path.iterdir()) == ["notes.partial", new.partial.name]


def test_only_a_dump_with_a_readable_manifest_is_listed_newest_first(tmp_path):
    folder = BackupFolder(tmp_path)
    old, new = put(folder, NOW - timedelta(days=1)), put(folder)
    (tmp_path / "outrider-20260502T020000Z.dump").write_bytes(b"no manifest")
    (tmp_path / "outrider-20260503T020000Z.json").write_text(manifest_of().as_text())
    (tmp_path / "outrider-20260504T020000Z.dump").write_bytes(b"damaged manifest")
    (tmp_path / "outrider-20260504T020000Z.json").write_text("{")

    assert folder.backups() == [new, old]


def test_two_backups_of_one_second_have_two_names(tmp_path):
    folder = BackupFolder(tmp_path)

    assert put(folder).name != put(folder).name
    assert len(folder.backups()) == 2


def test_a_backup_is_found_by_its_name_and_without_one_the_newest(tmp_path):
    folder = BackupFolder(tmp_path)
    old, new = put(folder, NOW - timedelta(days=1)), put(folder)

    assert folder.find(None) == new
    assert folder.find(old.name) == folder.find(f"{old.name}.dump") == old
    with pytest.raises(NotFound, match="outrider backup list"):
        folder.find("outrider-1")


def test_an_empty_folder_says_what_to_do(tmp_path):
    with pytest.raises(NotFound, match="`outrider backup` writes one"):
        BackupFolder(tmp_path / "none").find(None)


def test_old_backups_are_removed_with_their_manifests(tmp_path):
    folder = BackupFolder(tmp_path)
    old, new = put(folder, NOW - timedelta(days=8)), put(folder)

    assert folder.prune(NOW, 7) == [old.name]
    assert folder.backups() == [new]
    assert len(list(tmp_path.iterdir())) == 2


def test_the_result_of_a_verification_is_kept_in_the_manifest(tmp_path):
    folder = BackupFolder(tmp_path)
    backup = put(folder)

    folder.write_verdict(backup, NOW + timedelta(days=1), "the checksum is wrong")

    [found] = folder.backups()
    assert found.manifest == manifest_of(verified_at=NOW + timedelta(days=1), problem="the checksum is wrong")


def test_a_dump_anywhere_is_a_backup_with_or_without_a_manifest(tmp_path):
    backup = put(BackupFolder(tmp_path))

    assert backup_of_file(backup.dump) == backup_of_file(backup.dump.with_suffix(".json")) == backup
    backup.dump.with_suffix(".json").write_text("{")
    with pytest.raises(InvalidInput, match="damaged"):
        backup_of_file(backup.dump)
    backup.dump.with_suffix(".json").unlink()
    assert backup_of_file(backup.dump).manifest is None
    with pytest.raises(NotFound):
        backup_of_file(tmp_path / "none.dump")


def test_a_folder_that_cannot_be_used_is_named_with_the_setting(tmp_path):
    (tmp_path / "file").write_text("")

    with pytest.raises(Misconfigured, match="OUTRIDER_BACKUP_DIR"):
        BackupFolder(tmp_path / "file" / "backups").prepare()


def test_a_folder_that_cannot_be_read_says_so(tmp_path):
    (tmp_path / "file").write_text("")

    with pytest.raises(Misconfigured, match="cannot be read"):
        BackupFolder(tmp_path / "file").backups()
