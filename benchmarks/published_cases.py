"""The cases that linkchecker publishes with its source: pages, and what it expects of their links.

They are read from its package, pinned by hash, and written to a folder for the time of a run. Taken are pages
in HTML whose links lead to files or to the server on loopback, and the answers that its tests ask for by
address. Cases with links to other hosts are left out.
"""

import http
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from benchmarks.articles.archive import Files, obtain, read
from benchmarks.articles.packages import Package, Registry

PACKAGE = Package(
    Registry.PYPI,
    "linkchecker",
    "10.6.0",
    "fb7e8facda7749c2fa5fa5dc241c0adc302da3d31d588964a2570db501aa49e5",
)
DATA = "tests/checker/data"
_WANTED = re.compile(rf"{DATA}/.*")
_PAGES = (".html", ".xhtml")
_NEEDS_NO_ANSWER = ("javascript:", "clsid:")
_VALID_INTERIM = (101, 102, 103)  # by its tests


@dataclass(frozen=True, slots=True)
class PublishedLink:
    spelled: str
    address: str  # decoded
    is_broken: bool


@dataclass(frozen=True, slots=True)
class PublishedCase:
    name: str
    page: str  # a file, or an address
    links: Sequence[PublishedLink]
    depth: int = 1  # how far its test follows links
    by_address: bool = False  # the links are asked for themselves, without a page


def obtain_files(cache: Path) -> Files:
    return read(obtain(PACKAGE, cache), _WANTED)


def unpack(files: Files, folder: Path) -> None:
    for path, content in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)


def read_cases(files: Files, folder: Path, port: int) -> tuple[Sequence[PublishedCase], int]:
    """The cases that stay on this machine, and how many pages lead elsewhere."""
    places = {"curdir": str(folder), "datadir": DATA, "port": port}
    found: list[PublishedCase] = []
    left_out = 0
    for path in sorted(files):
        name = path.removeprefix(f"{DATA}/").removesuffix(".result").removesuffix(".file")
        if not path.endswith(".result") or PurePosixPath(name).suffix not in _PAGES:
            continue
        entries = list(_entries(files[path].decode(), places))
        if all(_is_here(entry, folder, port) for entry in entries):
            found.append(_case(name, entries, folder, port))
        else:
            left_out += 1
    return [*found, *asked_by_address(port)], left_out


def host_of_status(status: int) -> str:
    """Each status has a host: its tests begin anew for each, and a host that fails is left in peace."""
    return f"127.2.{status // 100}.{status % 100 + 1}"


def asked_by_address(port: int) -> Iterator[PublishedCase]:
    """Its tests of statuses and redirects have no file: the rules are in their code."""
    origin = f"http://localhost:{port}"
    statuses = [status.value for status in http.HTTPStatus]
    yield PublishedCase(
        "every status",
        origin,
        [
            _direct(f"http://{host_of_status(status)}:{port}/status/{status}", _is_error(status))
            for status in statuses
        ],
        by_address=True,
    )
    yield PublishedCase(
        "redirects",
        origin,
        [
            _direct(f"{origin}/redirect1", True),
            _direct(f"{origin}/{DATA}/redirect.html", False),
            _direct(f"{origin}/redirect_newscheme_file", True),
        ],
        by_address=True,
    )


def _is_error(status: int) -> bool:
    if status < http.HTTPStatus.OK:
        return status not in _VALID_INTERIM
    return status >= http.HTTPStatus.BAD_REQUEST and status != http.HTTPStatus.TOO_MANY_REQUESTS


def _direct(address: str, is_broken: bool) -> PublishedLink:
    return PublishedLink(address, address, is_broken)


def _entries(text: str, places: Mapping[str, object]) -> Iterator[dict[str, str]]:
    """One for each address: `url`, `real url` and the like, and whether it is an `error`."""
    entry: dict[str, str] = {}
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        filled = line % places
        if filled.startswith("url ") and entry:
            yield entry
            entry = {}
        for field in ("real url", "url", "warning", "error", "valid"):
            if filled == field or filled.startswith(f"{field} "):
                entry[field] = filled.removeprefix(field).strip()
                break
    if entry:
        yield entry


def _is_here(entry: Mapping[str, str], folder: Path, port: int) -> bool:
    address = entry["real url"]
    here = (f"file://{folder}/", f"http://localhost:{port}/", "file:///example/", *_NEEDS_NO_ANSWER)
    return not address or address.startswith(here)


def _case(name: str, entries: Sequence[Mapping[str, str]], folder: Path, port: int) -> PublishedCase:
    is_served = any(entry["real url"].startswith("http") for entry in entries)
    page = f"http://localhost:{port}/{DATA}/{name}" if is_served else str(folder / DATA / name)
    itself = page if is_served else f"file://{page}"
    links = [
        PublishedLink(entry["url"], unquote(entry["real url"] or entry["url"]), _is_broken(entry))
        for entry in entries
        if unquote(entry["real url"]) != itself and not entry["url"].startswith(_NEEDS_NO_ANSWER)
    ]
    return PublishedCase(name, page, links, depth=4 if name == "anchor1.html" else 1)


def _is_broken(entry: Mapping[str, str]) -> bool:
    return "error" in entry or entry.get("warning", "").startswith("Anchor")
