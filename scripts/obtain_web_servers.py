"""Get web servers for the tests of exported redirects, unpacked into a folder of the project.

    python3 scripts/obtain_web_servers.py              all of them
    python3 scripts/obtain_web_servers.py apache       one of them

Apache and Caddy are Debian's packages, the matcher of Netlify is from npm by its hash. Nothing is installed.
Where one cannot be had, its tests are skipped.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

from obtain_assets import find_npm, install_packages
from obtain_uv import NoInstaller, obtain_uv
from unpack_debian import unpack_debian

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / ".cache" / "web-servers"
NETLIFY_LOCK = ROOT / "frontend" / "netlify"


def main(names: list[str]) -> None:
    for name in names:
        if why := obtain(name):
            print(f"setup: there is no {name}, so its tests are skipped: {why}", file=sys.stderr)


def obtain(name: str) -> str | None:
    """Get one server; returns the reason if that fails."""
    if (TARGET / name).is_dir():
        return None
    TARGET.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(dir=TARGET))
    made.chmod(0o755)
    try:
        why = _OBTAINED[name](made)
        if why is None:
            made.rename(TARGET / name)
        return why
    except OSError as error:
        # Another process may have been first.
        return None if (TARGET / name).is_dir() else str(error)
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _apache(folder: Path) -> str | None:
    return unpack_debian("apache2-bin", folder, "usr/sbin/apache2", _is_of_apache)


def _caddy(folder: Path) -> str | None:
    return unpack_debian("caddy", folder, "usr/bin/caddy", lambda _: False)


def _is_of_apache(library: str) -> bool:
    """Its runtime. Other libraries are of every system, or of modules that the tests do not load."""
    return library.startswith("libapr") and "-" not in library


def _netlify(folder: Path) -> str | None:
    environment = dict(os.environ)
    try:
        uv = obtain_uv(ROOT / ".cache" / "bootstrap", ROOT / "requirements" / "bootstrap.lock")
    except NoInstaller as error:
        return str(error)
    npm = find_npm(ROOT, uv, environment)
    packages = npm if isinstance(npm, str) else install_packages(npm, NETLIFY_LOCK, folder, environment)
    return packages if isinstance(packages, str) else None


_OBTAINED = {"apache": _apache, "caddy": _caddy, "netlify": _netlify}

if __name__ == "__main__":
    asked = sys.argv[1:] or list(_OBTAINED)
    if unknown := set(asked) - _OBTAINED.keys():
        sys.exit(f"usage: obtain_web_servers.py [{'|'.join(_OBTAINED)}], not {', '.join(sorted(unknown))}")
    main(asked)
