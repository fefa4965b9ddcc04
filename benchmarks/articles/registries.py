"""Fetches published archives by name, with each registry's own client, which knows where the registry is.

So mirrors and proxies work as they do for everybody else here. Nothing is installed, built or run.
"""

import os
import shutil
import subprocess
import tomllib
from pathlib import Path

from benchmarks.articles.download import download
from benchmarks.articles.packages import Package, Registry
from scripts.pip_config import uv_environment

ROOT = Path(__file__).resolve().parents[2]
BOOTSTRAP = ROOT / ".cache" / "bootstrap" / "bin"  # where `make` keeps its uv
PATIENCE_S = 120
NEWEST_PYTHON = "3.14"  # some packages ask for a newer one than ours; nothing of them is run


class Unavailable(Exception):
    """This archive cannot be had on this machine; the message says why."""


def fetch(package: Package, file: Path) -> None:
    """Write the archive to `file`, or raise Unavailable. Nobody has looked at it yet."""
    try:
        match package.source_service:
            case Registry.PYPI:
                _from_pypi(package, file)
            case Registry.NPM:
                _from_npm(package, file)
            case Registry.DEBIAN:
                _from_debian(package, file)
    except OSError as error:
        raise Unavailable(str(error)) from error


def _from_pypi(package: Package, file: Path) -> None:
    """uv resolves the name from the metadata of a wheel; the lock it writes says where the sdist is.

    `pip download` would run the sdist's own build for its metadata.
    """
    environment = {**os.environ, **uv_environment(os.environ)}
    command = ["pip", "compile", "--quiet", "--no-deps", "--format", "pylock.toml"]
    lock = _said(
        "uv",
        [*command, "--python-version", NEWEST_PYTHON, "-"],
        environment=environment,
        question=f"{package.name}=={package.version}",
    )
    link = tomllib.loads(lock)["packages"][0].get("sdist", {}).get("url")
    if link is None:
        raise Unavailable("the index has no sdist of it")
    download(link, file, certificates=environment.get("SSL_CERT_FILE"))


def _from_npm(package: Package, file: Path) -> None:
    folder = file.parent / "npm"
    folder.mkdir()
    name = f"{package.name}@{package.version}"
    said = _said(
        "npm", ["pack", "--loglevel=error", "--ignore-scripts", "--pack-destination", str(folder), name]
    )
    (folder / said.strip()).rename(file)


def _from_debian(package: Package, file: Path) -> None:
    """From the pool of the mirrors that apt uses; sources need not be enabled for it."""
    places = _said("apt-get", ["indextargets", "--format", "$(REPO_URI)", "Created-By: Packages"]).split()
    source = f"{package.name}/{package.name}_{package.version}.orig.tar.gz"
    failed: OSError | None = None
    for place in dict.fromkeys(places):
        try:
            return download(f"{place}pool/main/{package.name[0]}/{source}", file)
        except OSError as error:
            failed = error
    raise Unavailable(f"no mirror of apt has it: {failed}")


def _said(
    program: str, arguments: list[str], *, environment: dict[str, str] | None = None, question: str = ""
) -> str:
    """What the program prints. Its complaints go to the terminal: they may name what tables should not."""
    path = os.pathsep.join([str(BOOTSTRAP), os.environ.get("PATH", os.defpath)])
    if (found := shutil.which(program, path=path)) is None:
        raise Unavailable(f"there is no {program} here")
    try:
        done = subprocess.run(
            [found, *arguments],
            input=question,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
            timeout=PATIENCE_S,
            check=True,
        )
    except subprocess.SubprocessError as error:
        raise Unavailable(f"{program} failed, or took longer than {PATIENCE_S} s") from error
    return done.stdout
