"""The environment of the tests: no setting, file, database or signal of whoever runs them."""

import os
import signal
from pathlib import Path

from tests.support.database import this_run

from outrider.settings.load import all_declared


def forget_settings() -> None:
    """For this process and the programs that tests start.

    A test that names no data directory gets one that does not exist. The usual one may have the crawls of a
    user in it, whose leases and delays would hold up the tests, and whose data they would change.
    """
    for declared in all_declared():
        for name in (declared.setting.env, *declared.setting.alias):
            os.environ.pop(name, None)
    os.environ["OUTRIDER_DATA"] = str(no_data())
    # A folder of its own: other programs that tests start, such as Caddy, keep files of theirs in it.
    os.environ["XDG_CONFIG_HOME"] = str(this_run() / "config")


def hear_interrupts() -> None:
    """A shell has programs in its background ignore Ctrl-C, and they hand that down to what they start."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def no_data() -> Path:
    """A data directory that does not exist."""
    return this_run() / "no-data"
