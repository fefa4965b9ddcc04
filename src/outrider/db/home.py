"""The directory of an embedded server: its files and its owner."""

import errno
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
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
        """Every process that uses the server holds a shared lock on it."""
        return self.path / "lease"

    @property
    def keeper_lock(self) -> Path:
        """The keeper holds a lock on it."""
        return self.path / "keeper.lock"

    @property
    def start_lock(self) -> Path:
        """A process holds a lock on it while it checks and starts the server."""
        return self.path / "start.lock"


def prepare(root: Path) -> tuple[Home, Account]:
    """Create the home below `root` if it is missing; returns it with its owner."""
    # Resolved, so that two processes with different symbolic links find the same server.
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
            raise _belongs_to(owner, home.path)
        account = service_account() if owner == 0 else owner_of(owner)
        account.own(home.path)
        _check(home, account)
    return home, account


def socket_dir(home: Home, account: Account) -> Path:
    """The directory of the socket: the home, or a short private directory if its path cannot be used.

    A path cannot be used if it is too long for a socket or has a comma, which separates hosts in a DSN.
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
    """Create missing folders; other users can enter those that root creates, with any umask."""
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
            f"PostgreSQL runs as user {account.name}, which cannot reach {home.path}: "
            f"choose a directory outside private ones with --data, such as {SYSTEM_DATA_DIR}"
        )


@contextmanager
def _explained(place: Path) -> Iterator[None]:
    """Turn errors of the file system into sentences."""
    try:
        yield
    except OSError as error:
        raise cannot_use(place, error) from error


def cannot_read(place: Path, error: OSError) -> Misconfigured | Unavailable:
    """The error of an existing database whose files cannot be read, as a sentence."""
    with suppress(OSError):
        if error.errno == errno.EACCES and (owner := place.stat().st_uid) != os.geteuid():
            return _belongs_to(owner, place)
    return cannot_use(place, error)


def _belongs_to(owner: int, place: Path) -> Misconfigured:
    return Misconfigured(
        f"{place} belongs to {owner_of(owner).name}: "
        "run as that user, or choose another directory with --data"
    )


def cannot_use(place: Path, error: OSError) -> Misconfigured | Unavailable:
    """The error of a data directory that does not work, as a sentence."""
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
