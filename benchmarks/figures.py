"""The figures of all benchmarks in one JSON file; a benchmark that runs again replaces only its own."""

import json
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from benchmarks.report import Report


def keep(file: Path, report: Report, started: datetime, machine: str) -> None:
    measured = {
        "started": started.isoformat(timespec="seconds"),
        "machine": machine,
        "results": report.figures,
        "remarks": report.remarks,
    }
    file.write_text(json.dumps({"parts": {**_kept(file), report.name: measured}}, indent=2) + "\n")


def _kept(file: Path) -> Mapping[str, Any]:
    """What is there already; a file of another kind is replaced."""
    try:
        parts = json.loads(file.read_text())["parts"]
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    return parts if isinstance(parts, dict) else {}
