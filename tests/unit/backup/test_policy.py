"""When a backup is due, what it is called, which ones are kept, and when backups are in trouble."""

from datetime import UTC, datetime, time, timedelta

import pytest

from outrider.backup.policy import (
    RETRY,
    BackupHistory,
    KeptBackup,
    name_of,
    next_backup_at,
    to_remove,
    trouble_of,
)

TWO = time(2)


def at(text: str) -> datetime:
    return datetime.fromisoformat(f"2026-05-{text}:00+00:00")


@pytest.mark.parametrize(
    ("installed", "good", "due"),
    [
        pytest.param("01T12:00", None, "02T02:00", id="a new installation waits for its first night"),
        pytest.param("01T01:59", None, "01T02:00", id="even if that is a minute away"),
        pytest.param("01T02:00", None, "02T02:00", id="the minute of the backup is over"),
        pytest.param("01T12:00", "05T02:00", "06T02:00", id="the day after the last one"),
        pytest.param("01T12:00", "05T09:30", "06T02:00", id="one that was late does not move the next"),
        pytest.param("01T12:00", "05T01:00", "05T02:00", id="one before the time is another one"),
        pytest.param("07T12:00", "05T02:00", "08T02:00", id="a restored history is older"),
    ],
)
def test_the_next_backup_is_due_at_the_time_of_day_after_the_newest_good_one(installed, good, due):
    history = BackupHistory(at(installed), None if good is None else at(good))

    assert next_backup_at(history, TWO) == at(due)


def test_a_missed_backup_is_due_in_the_past():
    history = BackupHistory(at("01T12:00"), at("03T02:00"))

    assert next_backup_at(history, TWO) == at("04T02:00") < at("09T08:00")


def test_a_failed_attempt_is_repeated_after_a_pause_and_does_not_wait_a_day():
    history = BackupHistory(at("01T12:00"), at("03T02:00"), failed_at=at("04T02:00"), error="disk full")

    assert next_backup_at(history, TWO) == at("04T02:00") + RETRY


def test_a_failed_attempt_before_the_time_does_not_bring_the_backup_forward():
    history = BackupHistory(at("01T12:00"), at("03T02:00"), failed_at=at("03T12:00"), error="disk full")

    assert next_backup_at(history, TWO) == at("04T02:00")


def kept(name: str, day: str, *, is_good: bool = True) -> KeptBackup:
    return KeptBackup(name, at(f"{day}T02:00"), is_good)


@pytest.mark.parametrize(
    ("backups", "removed"),
    [
        pytest.param([kept("a", "01"), kept("b", "09")], ["a"], id="older than seven days"),
        pytest.param([kept("a", "03"), kept("b", "10")], [], id="seven days are not older"),
        pytest.param([kept("a", "01")], [], id="the only good one"),
        pytest.param(
            [kept("a", "01"), kept("b", "02"), kept("c", "09", is_good=False)],
            ["a"],
            id="the newest good one, while later ones are damaged",
        ),
        pytest.param([kept("a", "01", is_good=False), kept("b", "09")], ["a"], id="damaged ones go too"),
        pytest.param([kept("a", "01", is_good=False)], ["a"], id="a damaged one is not worth keeping"),
        pytest.param([], [], id="no backup"),
    ],
)
def test_old_backups_are_removed_and_the_newest_good_one_never(backups, removed):
    assert to_remove(backups, at("10T02:00"), kept_days=7) == removed


def test_a_name_says_when_and_is_not_used_twice():
    moment = datetime(2026, 5, 1, 4, 0, 9, 500, tzinfo=UTC).astimezone()

    assert name_of(moment, set()) == "outrider-20260501T040009Z"
    taken = {"outrider-20260501T040009Z", "outrider-20260501T040009Z-2"}
    assert name_of(moment, taken) == "outrider-20260501T040009Z-3"


def test_a_failed_backup_is_trouble_even_if_none_is_written_every_day():
    history = BackupHistory(at("01T12:00"), at("03T02:00"), failed_at=at("03T08:00"), error="no space.")

    assert trouble_of(history, at("03T09:00"), is_daily=False) == "the last backup failed: no space"


@pytest.mark.parametrize(
    ("good", "hours", "trouble"),
    [
        (None, 47, None),
        (None, 49, "there is no backup yet, although one is written every day"),
        ("05T02:00", 47, None),
        ("05T02:00", 49, "the newest backup is 2 days old"),
    ],
)
def test_missing_daily_backups_are_trouble_after_two_days(good, hours, trouble):
    installed = at("01T12:00")
    now = (installed if good is None else at(good)) + timedelta(hours=hours)
    history = BackupHistory(installed, None if good is None else at(good))

    assert trouble_of(history, now, is_daily=True) == trouble
    assert trouble_of(history, now, is_daily=False) is None
