"""Runs pg_dump and pg_restore as child processes. A password never appears in their arguments."""

import asyncio
import re
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from io import BufferedReader
from pathlib import Path
from typing import IO
from urllib.parse import parse_qsl, unquote, urlsplit

from outrider.db.account import tool_environment
from outrider.db.binaries import Binaries, installed
from outrider.errors import Misconfigured, Unavailable
from outrider.masking import mask_urls

LONGEST_S = 6 * 3600.0
CHUNK = 1 << 20
SETS_TIMEOUT = 17  # from this version on, pg_restore sets transaction_timeout, which older servers refuse
_TELLING = re.compile(r"(?m)^pg_(?:dump|restore): (?:error|fatal|hint|detail): .*")
_LONGEST_REASON = 500

# Parameters of a database URL that PostgreSQL's programs read from the environment.
_VARIABLES = {
    "host": "PGHOST",
    "port": "PGPORT",
    "user": "PGUSER",
    "password": "PGPASSWORD",
    "passfile": "PGPASSFILE",
    "service": "PGSERVICE",
    "sslmode": "PGSSLMODE",
    "sslcert": "PGSSLCERT",
    "sslkey": "PGSSLKEY",
    "sslrootcert": "PGSSLROOTCERT",
    "sslcrl": "PGSSLCRL",
    "gsslib": "PGGSSLIB",
    "krbsrvname": "PGKRBSRVNAME",
    "target_session_attrs": "PGTARGETSESSIONATTRS",
}


def connection_variables(dsn: str) -> dict[str, str]:
    """The variables that lead PostgreSQL's programs to the server of a URL, and not to its database."""
    parts = urlsplit(dsn)
    userinfo, _, places = parts.netloc.rpartition("@")
    user, _, password = userinfo.partition(":")
    found = {"user": unquote(user), "password": unquote(password)}
    hosts, ports = _hosts_and_ports(places)
    found |= {"host": hosts, "port": ports} | dict(parse_qsl(parts.query))
    return {_VARIABLES[name]: value for name, value in found.items() if name in _VARIABLES and value}


def _hosts_and_ports(places: str) -> tuple[str, str]:
    """Several servers are separated by commas, and an address of IPv6 stands in brackets."""
    found = [re.fullmatch(r"(\[[^\]]*\]|[^:]*)(?::(\d*))?", place) for place in places.split(",")]
    hosts = [unquote(each[1]).strip("[]") if each else "" for each in found]
    ports = [(each[2] or "") if each else "" for each in found]
    return ",".join(hosts).strip(","), ",".join(ports).strip(",")


def programs_for(major: int) -> Binaries:
    """The pg_dump and pg_restore here that fit a server best; raises Misconfigured if none fits."""
    return choose_programs(_installed_here(), major)


def newest_programs() -> Binaries:
    """The pg_restore here that can read the most dumps; raises Misconfigured if there is none."""
    found = _installed_here()
    newest = max((each.major for each in found), default=0)
    return choose_programs(found, newest)


@cache
def _installed_here() -> Sequence[Binaries]:
    tools = ("pg_dump", "pg_restore")
    return [each for each in installed() if all((each / name).exists() for name in tools)]


def choose_programs(found: Sequence[Binaries], major: int) -> Binaries:
    """Those of the version of the server, else the next newer ones: pg_dump reads no newer server. Pure."""
    usable = [
        each for each in found if each.major >= major and (each.major < SETS_TIMEOUT or major >= SETS_TIMEOUT)
    ]
    if usable:
        return min(usable, key=lambda each: each.major)
    here = f"only {', '.join(each.version for each in found)} is here" if found else "none is installed here"
    of = f" of PostgreSQL {major}" if major else ""
    raise Misconfigured(
        f"backups need the programs pg_dump and pg_restore{of}, and "
        f"{here}: install them, and name their bin directory in PG_BINDIR"
    )


def database_argument(name: str) -> str:
    """The name of a database as these programs take it, whatever characters it has."""
    quoted = name.replace("\\", "\\\\").replace("'", "\\'")
    return f"dbname='{quoted}'"


async def run_program(
    command: Sequence[str | Path],
    dsn: str | None = None,
    *,
    take: Callable[[bytes], None] | None = None,
    longest_s: float = LONGEST_S,
) -> str:
    """Run a program to its end; raises Unavailable with its reason. Returns what it printed.

    `take` gets the output in pieces instead, in a thread. If this call is cancelled, the program is killed;
    if this process is killed, the program ends at its next output, because nothing reads it any more.
    """
    printed: list[bytes] = []
    with tempfile.TemporaryFile() as errors, _started(command, dsn, errors) as process:
        reading = asyncio.create_task(asyncio.to_thread(_read, process, take or printed.append))
        try:
            async with asyncio.timeout(longest_s):
                await asyncio.shield(reading)
        except TimeoutError:
            raise Unavailable(f"{Path(command[0]).name} did not end within {longest_s:g} seconds") from None
        finally:
            process.kill()
            await asyncio.gather(reading, return_exceptions=True)
        errors.seek(0)
        if process.returncode != 0:
            raise Unavailable(_reason(Path(command[0]).name, errors.read().decode(errors="replace")))
    return b"".join(printed).decode(errors="replace")


def _read(process: subprocess.Popen[bytes], take: Callable[[bytes], None]) -> None:
    assert isinstance(process.stdout, BufferedReader)
    try:
        while piece := process.stdout.read1(CHUNK):
            take(piece)
    except BaseException:
        process.kill()
        raise
    finally:
        process.wait()


@contextmanager
def _started(
    command: Sequence[str | Path], dsn: str | None, errors: IO[bytes]
) -> Iterator[subprocess.Popen[bytes]]:
    variables = {} if dsn is None else connection_variables(dsn)
    try:
        process = subprocess.Popen(
            [str(part) for part in command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            cwd="/",
            env=tool_environment(variables),
            start_new_session=True,  # Ctrl-C reaches this process, which kills the program
        )
    except OSError as error:
        raise Misconfigured(f"{command[0]} cannot be run: {error.strerror}") from error
    with process:
        yield process


def _reason(program: str, output: str) -> str:
    """The lines in which a program says why it failed, as one sentence."""
    lines = _TELLING.findall(output) or output.strip().splitlines()[-1:] or ["it said nothing"]
    told = "; ".join(line.removeprefix(f"{program}: ").removeprefix("error: ") for line in lines)
    return f"{program} failed: {mask_urls(told)[:_LONGEST_REASON]}"
