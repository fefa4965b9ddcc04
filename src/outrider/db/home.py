"""The directory of an embedded server: what is where in it, and whose it is."""

import errno
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from outrider.db.account import Account, owner_of, service_account
from outrider.db.location import SYSTEM_DATA_DIR
from outrider.errors import Misconfigured, Unavailable

_UNQUOTABLE = re.compile(r'["$`\\\x00-\x1f\x7f\ud800-\udfff]')  # pg_ctl hands the path to a shell
_LONGEST_SOCKET_DIR = 85  # bytes; a socket's whole path may have 103 on macOS, 107 on Linux


@dataclass(frozen=True, slots=True)
class Home:
    """`<data directory>/database`, private to the account that PostgreSQL runs as."""

    path: Path

    @property
    def data(self) -> Path:
        return self.path / "data"

    @property
    def log(self) -> Path:
        return self.path / "log"

    @property
    def lease(self) -> Path:
        """Locked shared by every process that uses the server."""
        return self.path / "lease"

    @property
    def keeper_lock(self) -> Path:
        """Locked by the one keeper."""
        return self.path / "keeper.lock"

    @property
    def start_lock(self) -> Path:
        """Locked while somebody looks whether the server runs, and starts it."""
        return self.path / "start.lock"


def prepare(root: Path) -> tuple[Home, Account]:
    """Make the home below `root` if it is not there, and tell who owns it."""
    # One spelling for all: two processes that come through different links must find the same server.
    home = Home(root.expanduser().resolve() / "database")
    if _UNQUOTABLE.search(str(home.path)):
        raise Misconfigured(
            f"{str(root)!r} has characters PostgreSQL's tools cannot take: "
            "choose another directory with --data"
        )
    with _explained(root):
        if not home.path.exists():
            _make_path(home.path.parent)
            home.path.mkdir(mode=0o700, exist_ok=True)
        owner = home.path.stat().st_uid
        if owner != os.geteuid() and os.geteuid() != 0:
            raise Misconfigured(
                f"{home.path} belongs to {owner_of(owner).name}: "
                "run as that user, or choose another directory with --data"
            )
        account = service_account() if owner == 0 else owner_of(owner)
        account.own(home.path)
        _check(home, account)
    return home, account


def socket_dir(home: Home, account: Account) -> Path:
    """Where the socket goes: the home, or a short private directory when its path will not do.

    That is one too long for a socket, or with a comma, which separates hosts in a DSN.
    """
    if len(os.fsencode(home.path)) <= _LONGEST_SOCKET_DIR and "," not in str(home.path):
        return home.path
    short = Path("/tmp") / f"outrider-{account.uid}-{sha256(os.fsencode(home.path)).hexdigest()[:16]}"
    with _explained(short):
        short.mkdir(mode=0o700, exist_ok=True)
        found = short.lstat()
        if found.st_uid not in {account.uid, os.geteuid()} or found.st_mode & 0o77 or short.is_symlink():
            raise Misconfigured(
                f"no socket can be in {home.path} and {short} is not ours alone: "
                "choose a shorter directory with --data"
            )
        account.own(short)
    return short


def _make_path(folder: Path) -> None:
    """Make the folders that are missing; those root makes are passable, whatever its umask says."""
    missing = [place for place in (folder, *folder.parents) if not place.exists()]
    for place in reversed(missing):
        place.mkdir(exist_ok=True)
        if os.geteuid() == 0:
            place.chmod(0o755)


def _check(home: Home, account: Account) -> None:
    if os.statvfs(home.path).f_flag & os.ST_RDONLY:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))
    if not os.access(home.path, os.W_OK | os.X_OK, effective_ids=os.access in os.supports_effective_ids):
        raise OSError(errno.EACCES, os.strerror(errno.EACCES))
    if account.uid != os.geteuid() and not account.can_enter(home.path):
        raise Misconfigured(
            f"PostgreSQL runs as user {account.name}, who cannot reach {home.path}: "
            f"choose a directory outside private ones with --data, such as {SYSTEM_DATA_DIR}"
        )


@contextmanager
def _explained(place: Path) -> Iterator[None]:
    """Turn the file system's answers into sentences."""
    try:
        yield
    except OSError as error:
        raise cannot_use(place, error) from error


def cannot_use(place: Path, error: OSError) -> Misconfigured | Unavailable:
    """What to tell a person whose data directory does not work."""
    match error.errno:
        case errno.ENOSPC | errno.EDQUOT:
            return Unavailable(
                f"no space is left for {place}: free some, or choose another directory with --data"
            )
        case errno.EROFS:
            return Misconfigured(
                f"{place} is on a read-only file system: choose another directory with --data"
            )
        case errno.EACCES | errno.EPERM:
            return Misconfigured(
                f"{place} is not writable for this user: choose another directory with --data"
            )
        case errno.ENOTDIR | errno.EEXIST | errno.ELOOP:
            return Misconfigured(f"{place} is not a directory: choose another one with --data")
        case errno.ENAMETOOLONG:
            return Misconfigured(
                "the path of the data directory is too long: choose a shorter one with --data"
            )
        case _:
            return Misconfigured(
                f"{place} cannot be used for data ({error.strerror}): choose another with --data"
            )
