"""Small packages, made up."""

import io
import tarfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

Packed = Callable[[Mapping[str, str | bytes]], Path]


@pytest.fixture
def packed(tmp_path: Path) -> Packed:
    """An archive of these files, below one folder as registries have it."""

    def pack(files: Mapping[str, str | bytes]) -> Path:
        archive = tmp_path / "package.tar.gz"
        with tarfile.open(archive, "w:gz") as members:
            for path, content in files.items():
                body = content.encode() if isinstance(content, str) else content
                member = tarfile.TarInfo(f"package/{path}")
                member.size = len(body)
                members.addfile(member, io.BytesIO(body))
        return archive

    return pack
