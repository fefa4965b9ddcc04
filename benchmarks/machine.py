"""On what and when something was measured, in one line."""

import os
import platform
import random
from datetime import datetime
from pathlib import Path

import psutil
from benchmarks.timing import best_us

from outrider.documents.packing import pack
from outrider.extract.native.choice import describe_scan


def describe(now: datetime) -> str:
    return (
        f"{now.day} {now:%B %Y}, {os.cpu_count()} cores of {_processor()}, "
        f"{psutil.virtual_memory().total / 2**30:.0f} GB, {platform.system()} {_release()}, "
        f"Python {platform.python_version()}, {scan()}"
    )


def scan() -> str:
    """Which scan reads pages: the one in Python is several times as slow as the compiled one."""
    told, _ = describe_scan(os.environ.get("OUTRIDER_SCAN", ""))
    return f"scan {told.partition(',')[0]}"  # without the path of the library


def load() -> str:
    """How many others wanted the processors in the last minute, us included."""
    return f"{os.getloadavg()[0]:.1f}"


def pace() -> str:
    """How long the same piece of work takes now: a processor shared with others is not always as fast."""
    dice = random.Random(1)
    words = ["".join(dice.choices("etaoinshrdlu", k=dice.randint(2, 9))) for _ in range(1200)]
    text = " ".join(dice.choices(words, k=4400)).encode()
    return f"{len(text) / 1000:.0f} kB of text packed in {best_us(lambda: pack(text)):.0f} µs"


def _processor() -> str:
    """As Linux names it; elsewhere what Python knows."""
    facts = Path("/proc/cpuinfo")
    for line in facts.read_text().splitlines() if facts.exists() else ():
        name, _, value = line.partition(":")
        if name.strip() == "model name":
            return value.strip()
    return platform.processor() or platform.machine()


def _release() -> str:
    return ".".join(platform.release().split(".")[:2])
