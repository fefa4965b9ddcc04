"""A machine without pip gets uv from its index, and only the one whose hash the lock names."""

import hashlib
import io
import platform
import sys
import zipfile

import pytest
from obtain_uv import _from_index

PLATFORM = "macosx_11_0" if sys.platform == "darwin" else "manylinux_2_17_x.musllinux_1_1"
WHEEL = f"uv-1.2.3-py3-none-{PLATFORM}_{platform.machine()}.whl"


@pytest.fixture
def offer(tmp_path, monkeypatch):
    """Make a package index in a folder, offer a wheel in it, and return the wheel's hash."""

    def build(binary: bytes, name: str = WHEEL) -> str:
        page = tmp_path / "simple" / "uv"
        page.mkdir(parents=True)
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr("uv-1.2.3.data/scripts/uv", binary)
        (page / name).write_bytes(packed.getvalue())
        (page / "index.html").write_text(f'<a href="{name}#sha256=0">{name}</a><a href="uv-9.whl">newer</a>')
        monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
        monkeypatch.setenv("PIP_INDEX_URL", (tmp_path / "simple").as_uri())
        return hashlib.sha256(packed.getvalue()).hexdigest()

    return build


def lock(tmp_path, digest):
    path = tmp_path / "bootstrap.lock"
    path.write_text(f"uv==1.2.3 \\\n    --hash=sha256:{'0' * 64} \\\n    --hash=sha256:{digest}\n")
    return path


def test_the_pinned_wheel_is_unpacked_ready_to_run(tmp_path, offer):
    digest = offer(b"#!/bin/sh\n")

    assert _from_index(tmp_path, lock(tmp_path, digest))
    assert (tmp_path / "bin" / "uv").read_bytes() == b"#!/bin/sh\n"
    assert (tmp_path / "bin" / "uv").stat().st_mode & 0o111


def test_a_wheel_with_another_hash_is_refused(tmp_path, offer):
    offer(b"#!/bin/sh\nevil\n")

    assert not _from_index(tmp_path, lock(tmp_path, "1" * 64))
    assert not (tmp_path / "bin").exists()


def test_a_wheel_for_another_machine_is_not_taken(tmp_path, offer):
    digest = offer(b"#!/bin/sh\n", name="uv-1.2.3-py3-none-win_amd64.whl")

    assert not _from_index(tmp_path, lock(tmp_path, digest))
