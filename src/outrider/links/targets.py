"""What a check is asked to check: addresses, files, folders, sitemaps, a site."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from outrider.errors import InvalidInput, InvalidUrl
from outrider.links.files.reading import READ_SUFFIXES
from outrider.urls.typed import address_of

_SITEMAP = re.compile(r"sitemap[^/]*\.xml(?:\.gz)?\Z", re.IGNORECASE)
_LIST_SUFFIXES = frozenset({".txt"})
MOST_LISTED = 1_000_000


@dataclass(frozen=True, slots=True)
class CheckTargets:
    """The arguments of a check, sorted."""

    urls: tuple[str, ...] = ()
    files: tuple[Path, ...] = ()
    folders: tuple[Path, ...] = ()
    sitemaps: tuple[str, ...] = ()  # addresses or files
    site: str | None = None  # the address of a site whose pages are read
    root: Path | None = None  # the folder that links with a leading slash start at


def targets_of(
    arguments: Sequence[str], *, site: str | None = None, root: Path | None = None, listed: str = ""
) -> CheckTargets:
    """Sort the arguments; raises InvalidInput for one that is neither a file nor an address.

    `listed` is the text of standard input for the argument `-`: one address in each line.
    """
    urls: list[str] = []
    files: list[Path] = []
    folders: list[Path] = []
    sitemaps: list[str] = []
    for argument in arguments:
        path = Path(argument)
        if argument == "-":
            urls.extend(_lines(listed))
        elif _is_web(argument):
            (sitemaps if _is_sitemap(argument) else urls).append(_address(argument))
        elif path.is_dir():
            folders.append(path)
        elif path.is_file():
            _sort_file(path, urls, files, sitemaps)
        else:
            urls.append(_guessed(argument))
    site_url, site_root = _site(site)
    if site_root is not None:
        folders.append(site_root)
    if not (urls or files or folders or sitemaps or site_url):
        raise InvalidInput("name what to check: web addresses, files, folders or --site")
    only_folder = folders[0] if len(folders) == 1 else None
    return CheckTargets(
        tuple(urls), tuple(files), tuple(folders), tuple(sitemaps), site_url, root or site_root or only_folder
    )


def _sort_file(path: Path, urls: list[str], files: list[Path], sitemaps: list[str]) -> None:
    suffix = path.suffix.lower()
    if suffix in READ_SUFFIXES:
        files.append(path)
    elif suffix in (".xml", ".gz"):
        sitemaps.append(str(path))
    elif suffix in _LIST_SUFFIXES:
        urls.extend(_lines(path.read_text(encoding="utf-8", errors="replace")))
    else:
        known = ", ".join(sorted(READ_SUFFIXES))
        raise InvalidInput(
            f"{path} is no kind of file that has links: {known}, .xml (sitemap) or .txt (list)"
        )


def _lines(text: str) -> list[str]:
    found = [line.strip() for line in text.splitlines()[:MOST_LISTED]]
    return [line for line in found if line and not line.startswith("#")]


def _is_web(argument: str) -> bool:
    return argument[:7].lower() == "http://" or argument[:8].lower() == "https://"


def _is_sitemap(url: str) -> bool:
    return _SITEMAP.search(url.partition("?")[0]) is not None


def _address(argument: str) -> str:
    """The address as given: one that is not valid is checked, too, and is dead."""
    return argument.strip()


def _guessed(argument: str) -> str:
    if Path(argument).suffix.lower() in READ_SUFFIXES:  # `readme.md` could be a host in Moldova
        raise InvalidInput(f"there is no file or folder {argument}")
    try:
        return address_of(argument)
    except InvalidUrl as error:
        message = f"there is no file or folder {argument}, and it is no web address ({error.why})"
        raise InvalidInput(message) from error


def _site(site: str | None) -> tuple[str | None, Path | None]:
    if site is None:
        return None, None
    if not _is_web(site) and (folder := Path(site)).is_dir():
        return None, folder
    return address_of(site), None
