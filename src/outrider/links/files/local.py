"""Whether a link from one file to another leads somewhere, without any request."""

from pathlib import Path
from urllib.parse import unquote

from outrider.errors import InvalidInput
from outrider.links.evidence import Judgement, Verdict
from outrider.links.files.reading import HTML_SUFFIXES, READ_SUFFIXES, read_file
from outrider.links.reason import LinkReason

_INDEXES = ("index.html", "index.htm", "README.md", "index.md")
_TOP = frozenset({"", "top"})
_TEXT_FRAGMENT = ":~:"


class LocalLinks:
    """Checks links between files; each target is read once."""

    def __init__(self, root: Path | None) -> None:
        """`root`: the folder that links with a leading slash start at; None if there is none."""
        self._root = root
        self._fragments: dict[Path, frozenset[str] | None] = {}

    def judge(self, file: Path, href: str) -> Judgement:
        """The verdict on a link of a file, which is relative or starts at the root."""
        path, _, fragment = href.partition("#")
        path = unquote(path.partition("?")[0])
        if path.startswith("/"):
            if self._root is None:
                return Judgement(Verdict.UNCERTAIN, LinkReason.ROOT_UNKNOWN)
            target = self._existing(self._root / path.lstrip("/"), file)
        else:
            target = self._existing(file.parent / path, file) if path else file
        if target is None:
            return Judgement(Verdict.DEAD, LinkReason.FILE_MISSING)
        return self._with_fragment(target, unquote(fragment))

    def _with_fragment(self, target: Path, fragment: str) -> Judgement:
        fragment = fragment.partition(_TEXT_FRAGMENT)[0]
        known = None if fragment.lower() in _TOP else self._fragments_of(target)
        if known is None or fragment in known or fragment.removeprefix("user-content-") in known:
            return Judgement(Verdict.OK, LinkReason.FILE_EXISTS)
        if target.suffix.lower() not in HTML_SUFFIXES and fragment.lower() in known:
            return Judgement(Verdict.OK, LinkReason.FILE_EXISTS)
        return Judgement(Verdict.DEAD, LinkReason.FRAGMENT_MISSING)

    def _existing(self, path: Path, file: Path) -> Path | None:
        """The file that a server, or a reader of the sources, would show for this path."""
        try:
            if path.is_file():
                return path
            if path.is_dir():
                return next((path / name for name in _INDEXES if (path / name).is_file()), path)
            suffix = ".html" if file.suffix.lower() in HTML_SUFFIXES else file.suffix
            beside = path.with_name(path.name + suffix) if path.name else path
            return beside if beside.is_file() else None
        except (OSError, ValueError):  # a name that no file can have
            return None

    def _fragments_of(self, target: Path) -> frozenset[str] | None:
        """The fragments of a file; None for a folder, a file of another kind and one that cannot be read."""
        if target.suffix.lower() not in READ_SUFFIXES or not target.is_file():
            return None
        if target not in self._fragments:
            try:
                self._fragments[target] = read_file(target).fragments
            except InvalidInput:  # the file is there, but cannot be looked into
                self._fragments[target] = None
        return self._fragments[target]
