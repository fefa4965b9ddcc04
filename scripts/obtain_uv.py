"""Find uv, or fetch the one that requirements/bootstrap.lock pins, changing nothing outside the project."""

from __future__ import annotations

import hashlib
import importlib.util
import io
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
import zipfile
from base64 import b64encode
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin, urlsplit, urlunsplit

from pip_config import pip_options

_LARGEST_WHEEL = 200_000_000
_QUIET_PIP = {
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    "PIP_REQUIRE_VIRTUALENV": "0",
    "PIP_ROOT_USER_ACTION": "ignore",
    "PIP_USER": "0",
}
_REMEDY = (
    "install uv, or pip and venv for python3 (on Debian and Ubuntu: apt-get install python3-venv), "
    "or name your package index in PIP_INDEX_URL; then try again."
)


class NoInstaller(Exception):
    """There is no way to get packages on this machine; the message says what to install."""


def obtain_uv(folder: Path, lock: Path) -> str:
    """The path of a uv that runs: the machine's, the one fetched before, or one fetched now."""
    ours = folder / "bin" / "uv"
    for candidate in (shutil.which("uv"), str(ours)):
        if candidate and _runs(candidate):
            return candidate
    print("setup: fetching uv", file=sys.stderr, flush=True)
    folder.mkdir(parents=True, exist_ok=True)
    for way in (_with_pip, _with_ensurepip, _from_index, _with_pip_of_debian):
        try:
            if way(folder, lock) and _runs(str(ours)):
                return str(ours)
        except (OSError, subprocess.SubprocessError, zipfile.BadZipFile) as error:
            print(f"setup: {way.__name__.strip('_').replace('_', ' ')}: {error}", file=sys.stderr)
    raise NoInstaller(f"there is neither uv nor pip here, and no way to fetch them: {_REMEDY}")


def _runs(uv: str) -> bool:
    try:
        return subprocess.run([uv, "--version"], capture_output=True, timeout=60, check=False).returncode == 0
    except (OSError, subprocess.SubprocessError):
        return False


def _with_pip(folder: Path, lock: Path) -> bool:
    return _has("pip") and _pip_install([sys.executable, "-m", "pip"], folder, lock)


def _with_ensurepip(folder: Path, lock: Path) -> bool:
    if not (_has("venv") and _has("ensurepip")):
        return False
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        subprocess.run([sys.executable, "-m", "venv", scratch], check=True, capture_output=True)
        return _pip_install([f"{scratch}/bin/python", "-m", "pip"], folder, lock)


def _with_pip_of_debian(folder: Path, lock: Path) -> bool:
    """Borrow pip from the distribution's own package: downloaded and unpacked here, installed nowhere."""
    if not (shutil.which("apt-get") and shutil.which("dpkg-deb")):
        return False
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        for part in ("lists/partial", "archives/partial"):
            (Path(scratch) / part).mkdir(parents=True)
        apt = ["apt-get", "-qq", "-o", f"Dir::State::lists={scratch}/lists"]
        apt += ["-o", f"Dir::Cache={scratch}", "-o", "APT::Sandbox::User=root"]
        subprocess.run([*apt, "update"], check=True, capture_output=True, timeout=300)
        subprocess.run(
            [*apt, "download", "python3-pip-whl"], check=True, capture_output=True, timeout=300, cwd=scratch
        )
        package = next(Path(scratch).glob("python3-pip-whl*.deb"))
        subprocess.run(["dpkg-deb", "-x", str(package), scratch], check=True, capture_output=True)
        wheel = next(Path(scratch).glob("usr/share/python-wheels/pip-*.whl"))
        return _pip_install([sys.executable, f"{wheel}/pip"], folder, lock)


def _pip_install(pip: list[str], folder: Path, lock: Path) -> bool:
    command = [*pip, "install", "--quiet", "--no-deps", "--require-hashes", "--upgrade"]
    command += ["--target", str(folder), "--requirement", str(lock)]
    done = subprocess.run(
        command, env={**os.environ, **_QUIET_PIP}, check=False, capture_output=True, text=True
    )
    if done.returncode:
        print(done.stderr, file=sys.stderr)
    return done.returncode == 0


def _from_index(folder: Path, lock: Path) -> bool:
    """Read uv's wheel straight from the index this machine is configured for; the lock's hash decides."""
    pinned = lock.read_text()
    version = re.search(r"^uv==(\S+)", pinned, re.MULTILINE)
    hashes = set(re.findall(r"sha256:([0-9a-f]{64})", pinned))
    assert version is not None
    for link in _candidates(version[1]):
        wheel = _read(urldefrag(link).url)
        if hashlib.sha256(wheel).hexdigest() not in hashes:
            continue
        with zipfile.ZipFile(io.BytesIO(wheel)) as archive:
            binary = archive.read(f"uv-{version[1]}.data/scripts/uv")
        (folder / "bin").mkdir(exist_ok=True)
        (folder / "bin" / "uv").write_bytes(binary)
        (folder / "bin" / "uv").chmod(0o755)
        return True
    return False


def _candidates(version: str) -> list[str]:
    """Links to wheels of this version for this machine, from every configured place."""
    linux = "manylinux" if platform.libc_ver()[0] == "glibc" else "musllinux"
    system = "macosx" if sys.platform == "darwin" else linux
    wanted = re.compile(rf"uv-{re.escape(version)}-py3-none-\S*{system}\S*_{platform.machine()}\.whl")
    found = []
    for page in _pages():
        try:
            links = re.findall(r"href\s*=\s*[\"']([^\"']+)", _read(page).decode("utf-8", "replace"))
        except (OSError, ValueError) as error:
            print(f"setup: {urlsplit(page).hostname or page} does not offer uv: {error}", file=sys.stderr)
            continue
        found += [
            urljoin(page, link)
            for link in links
            if wanted.fullmatch(unquote(urlsplit(link).path.rpartition("/")[2]))
        ]
    return found


def _pages() -> list[str]:
    pip = pip_options(os.environ)
    indexes = [os.environ.get(name, "") for name in ("UV_DEFAULT_INDEX", "UV_INDEX_URL", "UV_INDEX")]
    indexes += [pip.get("index-url", ""), pip.get("extra-index-url", "")]
    return [f"{index.rstrip('/')}/uv/" for index in " ".join(indexes).split()]


def _read(url: str) -> bytes:
    parts = urlsplit(url)
    if parts.scheme == "file" and parts.path.endswith("/"):
        url += "index.html"
    request = urllib.request.Request(url, headers={"Accept": "text/html, */*;q=0.1"})
    if parts.username:
        login = b64encode(f"{unquote(parts.username)}:{unquote(parts.password or '')}".encode()).decode()
        bare = parts._replace(netloc=parts.netloc.rpartition("@")[2])
        request = urllib.request.Request(urlunsplit(bare), headers={"Authorization": f"Basic {login}"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return bytes(answer.read(_LARGEST_WHEEL))


def _has(module: str) -> bool:
    return importlib.util.find_spec(module) is not None
