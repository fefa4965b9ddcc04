"""`outrider` run to its end, as a process of its own or, for what only looks, in this one."""

import asyncio
import io
import json
import logging
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from typing import Any, TextIO
from unittest.mock import patch

import structlog
from tests.support.environment import no_data

from outrider.cli import output
from outrider.cli.main import run

# No setting and no database of whoever runs the tests, and nothing that waits for politeness on loopback.
_SETTINGS = {
    "OUTRIDER_ALLOW_PRIVATE": "127.0.0.0/8",
    "OUTRIDER_DATA": str(no_data()),
    "OUTRIDER_DELAY": "0",
    "COLUMNS": "200",
}


@dataclass(frozen=True, slots=True)
class Ran:
    """How a command ended and what it said."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def lines(self) -> list[Any]:
        """JSON lines."""
        return [json.loads(line) for line in self.out.splitlines()]


def outrider(
    *arguments: str,
    settings: Mapping[str, str] | None = None,
    stdin: bytes = b"",
    stdout: TextIO | None = None,
    stderr: TextIO | None = None,
    timeout: float = 60.0,
) -> Ran:
    """Run one command under these settings only; `Ran` has what was not sent elsewhere."""
    ended = subprocess.run(
        [sys.executable, "-m", "outrider", *arguments],
        env=_environment(settings),
        input=stdin,
        stdout=stdout or subprocess.PIPE,
        stderr=stderr or subprocess.PIPE,
        timeout=timeout,
        check=False,
    )
    return Ran(ended.returncode, (ended.stdout or b"").decode(), (ended.stderr or b"").decode())


async def outrider_meanwhile(
    *arguments: str, settings: Mapping[str, str] | None = None, stdin: bytes = b""
) -> Ran:
    """The same, while this process serves the sites that the command asks."""
    return await asyncio.to_thread(outrider, *arguments, settings=settings, stdin=stdin)


async def outrider_here_meanwhile(
    *arguments: str, settings: Mapping[str, str] | None = None, stdin: bytes = b""
) -> Ran:
    """Both: in a thread of this process, for commands that wait for no signal."""
    return await asyncio.to_thread(outrider_here, *arguments, settings=settings, stdin=stdin)


def outrider_here(*arguments: str, settings: Mapping[str, str] | None = None, stdin: bytes = b"") -> Ran:
    """The same without starting a process, which costs a second each time."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    _forget_consoles()
    with (
        patch.dict(os.environ, _environment(settings), clear=True),
        patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8")),
        redirect_stdout(out),
        redirect_stderr(err),
        own_logs(),
    ):
        code = run(list(arguments))
    _forget_consoles()
    return Ran(code, _text(out), _text(err))


def _environment(settings: Mapping[str, str] | None) -> dict[str, str]:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("OUTRIDER_")}
    return inherited | _SETTINGS | dict(settings or {})


@contextmanager
def own_logs() -> Iterator[None]:
    """Commands set up the logs of their process, and here that is the tests' own."""
    ours, root = structlog.get_config(), logging.getLogger()
    handlers, level = root.handlers[:], root.level
    try:
        yield
    finally:
        structlog.configure(**ours)
        structlog.contextvars.clear_contextvars()
        root.handlers[:] = handlers
        root.setLevel(level)


def _forget_consoles() -> None:
    """They remember how wide the terminal was."""
    output.console.cache_clear()
    output.errors.cache_clear()


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    stream.seek(0)
    return stream.read()
