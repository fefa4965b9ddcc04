"""What the file system refuses becomes a sentence that says what to do."""

import errno
import os
from pathlib import Path

import pytest

from outrider.db.account import Account
from outrider.db.home import Home, cannot_use, socket_dir
from outrider.errors import Misconfigured, Unavailable

PLACE = Path("/data")
OURS = Account("us", os.geteuid(), os.getegid())


@pytest.mark.parametrize(
    ("code", "family", "sentence"),
    [
        (errno.ENOSPC, Unavailable, "no space is left for /data"),
        (errno.EDQUOT, Unavailable, "no space is left for /data"),
        (errno.EROFS, Misconfigured, "/data is on a read-only file system"),
        (errno.EACCES, Misconfigured, "/data is not writable for this user"),
        (errno.EPERM, Misconfigured, "/data is not writable for this user"),
        (errno.ENOTDIR, Misconfigured, "/data is not a directory"),
        (errno.ENAMETOOLONG, Misconfigured, "the path of the data directory is too long"),
        (errno.EIO, Misconfigured, "/data cannot be used for data (Input/output error)"),
    ],
)
def test_every_refusal_names_the_place_and_a_way_out(code, family, sentence):
    told = cannot_use(PLACE, OSError(code, os.strerror(code)))

    assert isinstance(told, family)
    assert str(told).startswith(sentence)
    assert "--data" in str(told)


def test_a_short_home_holds_its_own_socket():
    assert socket_dir(Home(PLACE), OURS) == PLACE


def test_a_long_home_gets_a_short_private_place_for_its_socket(tmp_path):
    home = Home(tmp_path / ("long" * 30))

    short = socket_dir(home, OURS)

    assert len(str(short)) < 60
    assert short == socket_dir(home, OURS)
    assert short.stat().st_mode & 0o777 == 0o700
    short.rmdir()


def test_a_place_for_the_socket_that_others_may_enter_is_refused(tmp_path):
    home = Home(tmp_path / ("open" * 30))
    short = socket_dir(home, OURS)
    short.chmod(0o755)

    with pytest.raises(Misconfigured, match="is not ours alone: choose a shorter directory"):
        socket_dir(home, OURS)
    short.rmdir()
