"""Read the files of a folder: their links and their fragments."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urljoin

from outrider.errors import InvalidInput, NotFound
from outrider.links.files.html_links import html_links
from outrider.links.files.markdown_links import markdown_links
from outrider.links.files.model import FoundLink, ReadFile

HTML_SUFFIXES = frozenset({".html", ".htm", ".xhtml"})
MARKDOWN_SUFFIXES = frozenset({".md", ".markdown", ".mdown", ".mkd"})
READ_SUFFIXES = HTML_SUFFIXES | MARKDOWN_SUFFIXES
LARGEST_FILE = 16 * 1024 * 1024
MOST_FILES = 200_000
_LEFT_OUT = frozenset({"node_modules", "__pycache__"})


def read_file(path: Path) -> ReadFile:
    """The links and fragments of one file; raises InvalidInput for one that cannot be read."""
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise InvalidInput(f"{path} is larger than {LARGEST_FILE >> 20} MB and is not read")
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read: {error.strerror or error}") from error
    if path.suffix.lower() in HTML_SUFFIXES:
        found, fragments, base = html_links(text)
        if base is not None:
            found = [FoundLink(_joined(base, link.href), link.line) for link in found]
        return ReadFile(path, tuple(found), fragments)
    links, fragments = markdown_links(text)
    return ReadFile(path, tuple(links), fragments)


def _joined(base: str, href: str) -> str:
    """A link of a page that names its base."""
    try:
        return urljoin(base, href)
    except ValueError:
        return href


def files_below(folder: Path, unread: list[str]) -> Iterator[Path]:
    """The HTML and Markdown files of a folder, in order, without hidden folders and packages.

    `unread` gets a sentence for each folder below it that cannot be read.
    """
    count = 0
    for path in _walk(folder, unread, is_first=True):
        if path.suffix.lower() in READ_SUFFIXES:
            count += 1
            if count > MOST_FILES:
                raise InvalidInput(f"{folder} has more than {MOST_FILES:,} files: check parts of it")
            yield path


def _walk(folder: Path, unread: list[str], *, is_first: bool = False) -> Iterator[Path]:
    try:
        entries = sorted(folder.iterdir())
    except FileNotFoundError:
        raise NotFound(f"there is no folder {folder}") from None
    except OSError as error:
        sentence = f"{folder} cannot be read: {error.strerror or error}"
        if is_first:
            raise InvalidInput(sentence) from error
        unread.append(sentence)
        return
    for entry in entries:
        if entry.name.startswith(".") or entry.name in _LEFT_OUT:
            continue
        if entry.is_dir() and not entry.is_symlink():
            yield from _walk(entry, unread)
        elif entry.is_file():
            yield entry
