"""The environment of those we are measured beside: `.venv-bench`, which `make bench` sets up."""

import json
import subprocess
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PYTHON = ROOT / ".venv-bench" / "bin" / "python"


def python() -> Path:
    """Its interpreter; says what to do where there is none."""
    if not PYTHON.exists():
        raise SystemExit("benchmarks: .venv-bench is missing; `python3 scripts/bootstrap.py bench` makes it")
    return PYTHON


def ask(module: str, question: Any, *arguments: str) -> Any:
    """Run a module of benchmarks/peers there: JSON on its standard input, JSON on its standard output."""
    command = [str(python()), "-m", f"benchmarks.peers.{module}", *arguments]
    done = subprocess.run(
        command, input=json.dumps(question), stdout=subprocess.PIPE, text=True, cwd=ROOT, check=True
    )
    return json.loads(done.stdout) if done.stdout else None
