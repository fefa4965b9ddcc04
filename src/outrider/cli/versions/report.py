"""Print versions and differences."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, TextIO

from outrider.cli.output import console, harmless, plain, show, table
from outrider.documents.diff import DiffLine, Op
from outrider.documents.versions import Comparison, Version, Versions
from outrider.wording import count, plural, size, when

if TYPE_CHECKING:
    from rich.text import Text

_SHOWN_HASH = 12
_STYLES = {Op.REMOVED: "red", Op.ADDED: "green", Op.SAME: ""}


def show_versions(found: Versions) -> None:
    now = datetime.now(UTC)
    out = console()
    out.print(plain(found.url, "bold"))
    if found.url != found.asked:
        out.print(plain(f"{found.asked} redirects to it."))
    rows = (
        (
            version.number,
            when(version.last_seen_at, now),
            count(version.words),
            size(version.bytes),
            version.content_hash[:_SHOWN_HASH],
            version.title or "",
        )
        for version in found.versions
    )
    columns = ("version", "last seen", "words", "size", "hash", "title")
    show(table(columns, rows, right=("version", "words", "size"), whole=("last seen", "hash")))
    if found.total > len(found.versions):
        out.print(
            f"The newest {count(len(found.versions))} of {count(found.total)} versions; --limit shows more."
        )


def show_text(text: str, to: TextIO) -> None:
    """Print a text: as it is stored to a file, without control characters to a terminal."""
    print(harmless(text) if to.isatty() else text, file=to)


def show_comparison(found: Comparison, to: TextIO) -> None:
    """A unified diff; in colour, and with the changed words marked, on a terminal."""
    for line in _lines(found):
        if to.isatty():
            console().print(line, soft_wrap=True)
        else:
            print(line.plain, file=to)


def _lines(found: Comparison) -> "list[Text]":
    changes = found.difference
    lines = [
        plain(f"--- {found.url} {_named(found.older)}", "bold"),
        plain(f"+++ {found.url} {_named(found.newer)}", "bold"),
    ]
    for hunk in changes.hunks:
        lines.append(plain(hunk.header, "cyan"))
        lines += map(_line, hunk.lines)
    if not changes.hunks:
        lines.append(plain("The two versions have the same lines.", "bright_black"))
    if not changes.is_exact:
        lines.append(plain("The texts are too large to compare in full: some lines shown may be unchanged."))
    return lines


def _named(version: Version) -> str:
    return (
        f"version {version.number}, {version.last_seen_at.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC, "
        + plural(version.words, "word")
    )


def _line(line: DiffLine) -> "Text":
    shown = plain(line.op.value, _STYLES[line.op])
    at = 0
    for start, end in line.changed:
        shown.append(harmless(line.text[at:start]))
        shown.append(harmless(line.text[start:end]), "bold reverse")
        at = end
    return shown.append(harmless(line.text[at:]))
