"""Verifies a backup without a server: its checksum, and that pg_restore can read all of it."""

import asyncio
from pathlib import Path

from outrider.backup.files import StoredBackup, checksum_of
from outrider.backup.programs import newest_programs, run_program
from outrider.errors import Misconfigured, OutriderError


async def read_whole(dump: Path) -> None:
    """Read and decompress every part of a dump; raises Unavailable with the first problem."""
    programs = await asyncio.to_thread(newest_programs)
    # It writes the whole script of the dump, and nothing keeps it.
    await run_program([programs / "pg_restore", "--file=/dev/null", dump])


async def problem_of(backup: StoredBackup) -> str | None:
    """What is wrong with a backup, in a sentence; None if it is good."""
    manifest = backup.manifest
    try:
        if manifest is not None:
            found = backup.dump.stat().st_size
            if found != manifest.bytes:
                return f"the dump has {found:,} bytes and the manifest says {manifest.bytes:,}"
            if await asyncio.to_thread(checksum_of, backup.dump) != manifest.sha256:
                return "the checksum of the dump is not that of the manifest"
        await read_whole(backup.dump)
    except OSError as error:
        return f"the dump cannot be read: {error.strerror}"
    except Misconfigured:
        raise  # the programs are missing, which says nothing about the backup
    except OutriderError as error:
        return str(error)
    return None
