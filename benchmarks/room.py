"""How many URLs the disk has room for."""

import shutil
from collections.abc import Sequence
from pathlib import Path

DISK_BYTES_A_URL = 1_500  # the fill with its indexes and WAL, and room for the pages


def parted_by_room(sizes: Sequence[int], free: int) -> tuple[list[int], list[int]]:
    """Those that `free` bytes of disk are enough for, and those they are not."""
    fits = [urls for urls in sizes if urls * DISK_BYTES_A_URL <= free]
    return fits, [urls for urls in sizes if urls not in fits]


def left_out(urls: int, free: int) -> str:
    needed = _gb(urls * DISK_BYTES_A_URL)
    return f"{urls:,} URLs were left out: they need {needed} of disk, {_gb(free)} are free."


def check_room(folder: Path, urls: int) -> None:
    needed = urls * DISK_BYTES_A_URL
    if (free := shutil.disk_usage(folder).free) < needed:
        raise SystemExit(
            f"benchmarks: {urls:,} URLs need {_gb(needed)} in {folder.parent}; {_gb(free)} are free"
        )


def _gb(size: int) -> str:
    return f"{size / 1e9:.0f} GB"
