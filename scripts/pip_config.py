"""What this machine's pip is configured to use, in the words uv understands.

uv reads neither pip.conf nor PIP_*, and on many machines those are the only place where the
package index of the house is named.
"""

from __future__ import annotations

import configparser
import os
import ssl
import sys
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import unquote, urlsplit


def home() -> Path:
    """The user's folder, or `~` as it stands where there is none (`Path.home()` would raise)."""
    return Path(os.path.expanduser("~"))  # noqa: PTH111


def pip_options(environ: Mapping[str, str]) -> dict[str, str]:
    """pip's own settings, least specific first, so that the most specific wins."""
    options: dict[str, str] = {}
    for path in _config_files(environ):
        parser = configparser.RawConfigParser()
        try:
            parser.read(path, encoding="utf-8")
        except (OSError, configparser.Error, UnicodeDecodeError):
            continue  # pip will complain about it; we only look for hints
        for section in ("global", "install"):
            if parser.has_section(section):
                options.update({key.replace("_", "-"): value for key, value in parser.items(section)})
    for name, value in environ.items():
        if name.startswith("PIP_") and value:
            options[name.removeprefix("PIP_").lower().replace("_", "-")] = value
    return options


def uv_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """The variables to add for uv. What the user already said to uv stays."""
    pip = pip_options(environ)
    wanted = {
        # Every file is pinned by hash, so it does not matter which index it comes from.
        "UV_INDEX_STRATEGY": "unsafe-best-match",
        "UV_PYTHON_DOWNLOADS": "never",
        "UV_NO_CONFIG": "1",
    }
    # Where a house has certificates of its own, they are in the machine's store, which uv does not
    # read by itself; a machine without a store keeps uv's built-in one.
    if ssl.get_default_verify_paths().cafile or environ.get("SSL_CERT_FILE"):
        wanted["UV_SYSTEM_CERTS"] = "1"
    if not environ.keys() & {"UV_DEFAULT_INDEX", "UV_INDEX_URL", "UV_INDEX", "UV_EXTRA_INDEX_URL"}:
        wanted["UV_DEFAULT_INDEX"] = pip.get("index-url", "")
        wanted["UV_INDEX"] = " ".join(_present(pip.get("extra-index-url", "")))
    if "UV_FIND_LINKS" not in environ:
        wanted["UV_FIND_LINKS"] = ",".join(_present(pip.get("find-links", "")))
    if "UV_INSECURE_HOST" not in environ:
        wanted["UV_INSECURE_HOST"] = " ".join(pip.get("trusted-host", "").split())
    if "SSL_CERT_FILE" not in environ:
        wanted["SSL_CERT_FILE"] = pip.get("cert", "")
    return {name: value for name, value in wanted.items() if value}


def _config_files(environ: Mapping[str, str]) -> list[Path]:
    chosen = environ.get("PIP_CONFIG_FILE")
    if chosen == os.devnull:
        return []
    config = Path(environ.get("XDG_CONFIG_HOME") or home() / ".config")
    system = [
        Path(folder) / "pip" / "pip.conf" for folder in environ.get("XDG_CONFIG_DIRS", "/etc/xdg").split(":")
    ]
    user = [home() / ".pip" / "pip.conf", config / "pip" / "pip.conf"]
    if sys.platform == "darwin":
        system = [Path("/Library/Application Support/pip/pip.conf")]
        user.insert(0, home() / "Library" / "Application Support" / "pip" / "pip.conf")
    files = [*system, Path("/etc/pip.conf"), *user, Path(sys.prefix) / "pip.conf"]
    return [*files, Path(chosen)] if chosen else files


def _present(locations: str) -> list[str]:
    """The locations, without the folders that are not there: pip shrugs at those, uv refuses to go on."""
    found = []
    for location in locations.split():
        parts = urlsplit(location)
        folder = unquote(parts.path) if parts.scheme == "file" else location
        if parts.scheme not in ("", "file") or Path(folder).exists():
            found.append(location)
    return found
