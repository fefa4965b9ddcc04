"""The words of redirect files."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from outrider.errors import InvalidInput
from outrider.redirects.model import Redirect
from outrider.sites.paths import ROOT, PathRules, decoded

LONGEST_LINE = 20_000  # characters
MOST_LINES = 2_000_000
LARGEST_FILE = 200_000_000  # bytes


@dataclass(frozen=True, slots=True)
class ExportedTable:
    """The redirects of a site at one version."""

    site: str
    base_url: str
    hosts: Sequence[str]
    rules: PathRules
    version: int
    redirects: Sequence[Redirect]
    bot_words: Sequence[str] = ()

    def is_exempt(self, path: str) -> bool:
        """Whether only this spelling of a path is redirected."""
        return self.rules.is_exempt(decoded(path))

    def spellings(self, path: str) -> list[str]:
        """The path with and without a slash at the end, if the site takes them for the same."""
        if path == ROOT or not self.rules.strip_slash or self.is_exempt(path):
            return [path]
        return [path, f"{path}/"]


@dataclass(frozen=True, slots=True)
class RedirectFile:
    """A file, and the sources of the redirects that its format cannot express."""

    text: str
    media_type: str
    left_out: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class FileRow:
    """One redirect of a file, as it is written there. Without a target the answer is 410."""

    line: int
    from_path: str
    to: str | None
    status: int


def numbered_lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines that are neither empty nor comments; raises InvalidInput for a file that is too large."""
    for number, line in enumerate(text.splitlines(), start=1):
        if number > MOST_LINES:
            raise InvalidInput(f"the file has more than {MOST_LINES:,} lines: split it")
        if len(line) > LONGEST_LINE:
            raise InvalidInput(f"line {number} has more than {LONGEST_LINE:,} characters")
        stripped = line.strip()
        if stripped and not stripped.startswith("#"):
            yield number, stripped


def read_status(text: str, line: int) -> int:
    """The code of a row; raises InvalidInput if it is no number."""
    digits = text.strip().rstrip("!")
    if not (digits.isascii() and digits.isdigit() and len(digits) == 3):
        raise InvalidInput(f"line {line}: {text[:50]!r} is no status code such as 301")
    return int(digits)
