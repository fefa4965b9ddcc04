"""`outrider` as people type it, in a process of its own."""

import asyncio
import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_AT_HOME = {"OUTRIDER_ALLOW_PRIVATE": "127.0.0.0/8", "OUTRIDER_DELAY": "0", "COLUMNS": "200"}


@dataclass(frozen=True, slots=True)
class Said:
    """How a command ended, and what it said."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


async def outrider(*arguments: str, environment: Mapping[str, str], stdin: bytes = b"") -> Said:
    """Run one command on loopback; whatever this process has set for Outrider does not reach it."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("OUTRIDER_")}
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "outrider",
        *arguments,
        env=inherited | _AT_HOME | dict(environment),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        out, err = await asyncio.wait_for(process.communicate(stdin), 60)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return Said(process.returncode or 0, out.decode(), err.decode())
