"""What `outrider doctor` makes of a machine."""

from datetime import UTC, datetime

import pytest

from outrider.backup.files import BackupFolder
from outrider.backup.model import Manifest
from outrider.cli.doctor.checkup import (
    CheckResult,
    _backup,
    _files,
    _folder,
    _python,
    _resolver,
    examine,
)
from outrider.settings import load


def verdicts(environ: dict[str, str]) -> dict[str, CheckResult]:
    return {check.name: check.verdict for check in examine(load({}, environ=environ))}


def test_every_part_is_looked_at(tmp_path):
    found = verdicts({"OUTRIDER_DATA": str(tmp_path)})

    assert list(found) == [
        *(
            "outrider",
            "python",
            "platform",
            "postgresql",
            "data",
            "disk",
            "backup",
            "machine",
            "open files",
            "dns",
            "libraries",
            "scan",
        ),
        "contact",
        "settings",
    ]


def test_a_server_is_named_without_its_password():
    url = "postgresql://crawler:secret@db.example/outrider"
    checks = {check.name: check for check in examine(load({}, environ={"OUTRIDER_DATABASE_URL": url}))}

    assert checks["database"].found == "the server at postgresql://***@db.example/outrider"
    assert "postgresql" not in checks


def test_a_variable_without_effect_is_reported_with_the_reason(tmp_path):
    environ = {"OUTRIDER_DATA": str(tmp_path), "APP_ENV": "production"}
    told = [check for check in examine(load({}, environ=environ)) if check.verdict is CheckResult.DOUBTFUL]

    assert "APP_ENV is set and has no effect" in [check.found for check in told]


def test_a_data_directory_that_is_a_file_will_not_do(tmp_path):
    file = tmp_path / "file"
    file.touch()

    assert _folder(file).verdict is CheckResult.BAD
    assert _folder(tmp_path / "not" / "there" / "yet").found.endswith("will be made")


@pytest.mark.parametrize(
    ("problem", "verdict", "told"),
    [(None, CheckResult.GOOD, "verified"), ("truncated", CheckResult.DOUBTFUL, "is not verified")],
)
def test_the_newest_backup_is_shown_and_doubtful_if_it_is_damaged(tmp_path, problem, verdict, told):
    folder, now = BackupFolder(tmp_path), datetime.now(UTC)
    folder.prepare()
    with folder.new(now) as new:
        new.write(b"dump")
        backup = new.commit(Manifest(now, "1", 1, "18.6", 9, 4, new.sync(), 0, {}, now, problem))

    check = _backup(folder, is_daily=True)

    assert check.verdict is verdict
    assert check.found.startswith(backup.name)
    assert told in check.found


def test_without_a_backup_the_doctor_says_how_to_have_one(tmp_path):
    assert "OUTRIDER_BACKUP_DAILY=on" in _backup(BackupFolder(tmp_path), is_daily=False).advice
    assert _backup(BackupFolder(tmp_path), is_daily=True).advice == ""
    (tmp_path / "file").touch()
    assert _backup(BackupFolder(tmp_path / "file"), is_daily=True).verdict is CheckResult.DOUBTFUL


@pytest.mark.parametrize(("limit", "verdict"), [(256, CheckResult.DOUBTFUL), (1_024, CheckResult.GOOD)])
def test_few_open_files_are_doubtful(limit, verdict):
    assert _files(limit).verdict is verdict


@pytest.mark.parametrize(
    ("built_with", "prefix", "verdict"),
    [
        ("'--enable-shared'", "/opt/python3.11", CheckResult.DOUBTFUL),
        ("'--enable-optimizations' '--with-lto'", "/usr/local", CheckResult.GOOD),
        ("'--enable-shared'", "/usr", CheckResult.GOOD),
        (None, "/opt/python", CheckResult.GOOD),
    ],
)
def test_a_python_built_without_profiles_is_slower(built_with, prefix, verdict):
    assert _python(built_with, prefix).verdict is verdict


def test_names_cannot_be_resolved_without_a_server(tmp_path):
    file = tmp_path / "resolv.conf"
    file.write_text("# none\nsearch example\n")
    without = _resolver(file)
    file.write_text("nameserver 192.0.2.53\nnameserver\n")

    assert _resolver(file).found == "asks 192.0.2.53 (not tried)"
    assert without.verdict is not CheckResult.BAD
