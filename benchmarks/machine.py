"""On what and when something was measured, in one line."""

import os
import platform
from datetime import datetime
from pathlib import Path

import psutil


def describe(now: datetime) -> str:
    return (
        f"{now.day} {now:%B %Y}, {os.cpu_count()} cores of {_processor()}, "
        f"{psutil.virtual_memory().total / 2**30:.0f} GB, {platform.system()} {_release()}, "
        f"Python {platform.python_version()}"
    )


def load() -> str:
    """How many others wanted the processors in the last minute, us included."""
    return f"{os.getloadavg()[0]:.1f}"


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
