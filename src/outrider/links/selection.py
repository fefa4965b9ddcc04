"""Which links of files and pages are checked. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from outrider.errors import InvalidInput, InvalidUrl
from outrider.urls import host_of, resolve

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_EMAIL = re.compile(r"[^@\s,;]{1,64}@[^@\s,;]{1,255}\.[^@\s.,;]{2,63}")
# Reserved for examples (RFC 2606): texts name them, and they lead nowhere.
_EXAMPLE_HOSTS = re.compile(r"(?:.*\.)?(?:example\.(?:com|net|org)|example)\Z")


@dataclass(frozen=True, slots=True)
class LinkSelection:
    """Patterns of links and files."""

    exclude: tuple[re.Pattern[str], ...] = ()
    include: tuple[re.Pattern[str], ...] = ()
    exclude_paths: tuple[str, ...] = ()

    def wants(self, url: str) -> bool:
        """Whether a link is checked: --include wins over --exclude."""
        if any(pattern.search(url) for pattern in self.include):
            return True
        return not self.include and not any(pattern.search(url) for pattern in self.exclude)

    def wants_file(self, path: Path) -> bool:
        name = path.as_posix()
        return not any(fnmatch(name, glob) or fnmatch(path.name, glob) for glob in self.exclude_paths)


def selection_of(
    exclude: Sequence[str], include: Sequence[str], exclude_paths: Sequence[str]
) -> LinkSelection:
    """Compile the patterns; raises InvalidInput for one that is no regular expression."""
    return LinkSelection(tuple(map(_compiled, exclude)), tuple(map(_compiled, include)), tuple(exclude_paths))


def _compiled(pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern)
    except re.error as error:
        raise InvalidInput(f"{pattern!r} is no regular expression: {error}") from error


def is_web_link(href: str) -> bool:
    """Whether a link of a file leads to the web."""
    return href[:7].lower() == "http://" or href[:8].lower() == "https://" or href.startswith("//")


def is_local_link(href: str) -> bool:
    """Whether a link of a file leads to a file. Templates and other schemes do not."""
    return not (_SCHEME.match(href) or href.startswith("//") or "{{" in href or "{%" in href or "${" in href)


def is_bad_email_link(href: str) -> bool:
    """Whether this is a `mailto:` whose address cannot be one; its host is not asked."""
    if not href.lower().startswith("mailto:"):
        return False
    addresses = href[7:].partition("?")[0]
    return bool(addresses) and not all(_EMAIL.fullmatch(each.strip()) for each in addresses.split(","))


def is_example(url: str) -> bool:
    """Whether the host is reserved for examples in texts."""
    try:
        return _EXAMPLE_HOSTS.match(host_of(resolve(url))) is not None
    except InvalidUrl:
        return False
