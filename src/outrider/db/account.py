"""The operating-system user PostgreSQL runs as: the current user, or a system user for root."""

import os
import pwd
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from outrider.errors import Misconfigured

SYSTEM_USER = "outrider"
_TOOL_TIMEOUT_S = 120.0


@dataclass(frozen=True, slots=True)
class Account:
    """A user, and the way to run a tool as that user."""

    name: str
    uid: int
    gid: int

    def run(
        self, command: Sequence[str | Path], *, stdin: str = "", timeout_s: float = _TOOL_TIMEOUT_S
    ) -> subprocess.CompletedProcess[str]:
        """Run a command with output and errors in `stdout`, in the directory `/` and the locale C."""
        with self.begin(command, stdin=subprocess.PIPE) as process:
            try:
                output, _ = process.communicate(stdin, timeout_s)
            except BaseException:
                process.kill()
                raise
        return subprocess.CompletedProcess(process.args, process.returncode, output)

    def begin(
        self, command: Sequence[str | Path], *, stdin: int = subprocess.DEVNULL, hears_ctrl_c: bool = True
    ) -> subprocess.Popen[str]:
        """The same, without waiting for its end."""
        other = self.uid != os.geteuid()
        return subprocess.Popen(
            [str(part) for part in command],
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            cwd="/",
            env=_clean_environment(),
            user=self.uid if other else None,
            group=self.gid if other else None,
            extra_groups=[] if other else None,
            start_new_session=not hears_ctrl_c,
        )

    def can_run(self, program: Path) -> bool:
        """Whether `program -V` works for this user."""
        try:
            return self.run([program, "-V"]).returncode == 0
        except OSError:
            return False

    def can_enter(self, folder: Path) -> bool:
        """Whether this user can change into `folder`."""
        return self.run(["/bin/sh", "-c", 'cd -- "$1"', "sh", folder]).returncode == 0

    def own(self, path: Path) -> None:
        """Give a file to this user, if the current user is root and another one."""
        if self.uid != os.geteuid():
            os.chown(path, self.uid, self.gid, follow_symlinks=False)


def owner_of(uid: int) -> Account:
    """The account with this id."""
    try:
        found = pwd.getpwuid(uid)
    except KeyError:
        raise Misconfigured(
            f"user id {uid} has no name on this machine and PostgreSQL needs one: "
            "run as a named user, or set OUTRIDER_DATABASE_URL to a server"
        ) from None
    return Account(found.pw_name, found.pw_uid, found.pw_gid)


def service_account() -> Account:
    """The owner of a new database: the current user, or for root a system user, created if missing."""
    if os.geteuid() != 0:
        return owner_of(os.geteuid())
    asked = os.environ.get("PG_OS_USER")
    if asked:
        return _named(asked) or _refuse(f"PG_OS_USER names {asked!r}, a user this machine does not have")
    return _named(SYSTEM_USER) or _named("postgres") or _create()


def _named(name: str) -> Account | None:
    try:
        found = pwd.getpwnam(name)
    except KeyError:
        return None
    if found.pw_uid == 0:
        _refuse(f"PostgreSQL will not run as {name!r}, which is root")
    return Account(found.pw_name, found.pw_uid, found.pw_gid)


def _create() -> Account:
    useradd = shutil.which("useradd", path="/usr/sbin:/sbin:/usr/bin:/bin")
    if useradd is None:
        _refuse("there is no useradd to make a user for it")
    command = [
        useradd,
        "--system",
        "--user-group",
        "--no-create-home",
        "--shell",
        "/usr/sbin/nologin",
        SYSTEM_USER,
    ]
    made = subprocess.run(command, capture_output=True, text=True, timeout=_TOOL_TIMEOUT_S, check=False)
    # Two processes may create the user at once, so only its existence counts.
    return _named(SYSTEM_USER) or _refuse(
        f"useradd could not make the user {SYSTEM_USER}: {made.stderr.strip()}"
    )


def _refuse(why: str) -> NoReturn:
    raise Misconfigured(
        f"PostgreSQL does not run as root, and {why}: "
        "run Outrider as a plain user, or name a system user in PG_OS_USER"
    )


def tool_environment(variables: dict[str, str]) -> dict[str, str]:
    """The environment of a program that connects to a server, with `variables` and with English messages."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG"))}
    kept.pop("PGOPTIONS", None)  # asyncpg ignores it, and the programs must see the same database
    return kept | variables | {"LC_ALL": "C"}


def _clean_environment() -> dict[str, str]:
    """The environment without variables that change PostgreSQL's tools, and with English messages."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PG", "LC_", "LANG"))}
    return kept | {"LC_ALL": "C"}
