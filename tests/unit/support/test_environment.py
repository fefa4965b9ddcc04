"""Tests keep away from the settings and the data of whoever runs them."""

import os
import signal

from tests.support.command import outrider_here
from tests.support.environment import forget_settings, hear_interrupts

from outrider.db.location import default_data_dir
from outrider.settings import load


def test_settings_of_who_runs_the_tests_are_forgotten_also_by_their_old_names(monkeypatch):
    monkeypatch.setattr(os, "environ", dict(os.environ))
    os.environ |= {"OUTRIDER_DELAY": "77", "FETCHER_DATABASE_URL": "postgresql://precious", "HOME": "/root"}

    forget_settings()

    assert {"OUTRIDER_DELAY", "FETCHER_DATABASE_URL"} & os.environ.keys() == set()
    assert os.environ["HOME"] == "/root"


def test_a_command_of_a_test_finds_no_data():
    here = load().settings.database.data_dir
    told = outrider_here("stats")

    assert here != default_data_dir()
    assert not here.exists()
    assert f"no crawl in {here} yet" in told.err


def test_tests_in_the_background_of_a_shell_hear_interrupts():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        hear_interrupts()
        heard = signal.getsignal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)

    assert heard is signal.default_int_handler
