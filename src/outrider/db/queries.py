"""Loads the named SQL of a package: `-- name: x` opens a block, the rest of it is the statement.

`{name}` in a statement stands for a number of `sql_constants.py`.
"""

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from outrider.db.sql_constants import SQL_CONSTANTS

_NAME_LINE = re.compile(r"^--[ \t]*name:[ \t]*(\S*)[ \t]*$", re.MULTILINE)
_CONSTANT = re.compile(r"\{([a-z][a-z_]*)\}")
_COMMENT_LINE = re.compile(r"^\s*--.*$", re.MULTILINE)


class Queries:
    """The SQL texts of one package as attributes of one object."""

    def __init__(self, package: str, texts: dict[str, str]) -> None:
        self._package = package
        self._texts = MappingProxyType(texts)

    @classmethod
    @cache
    def load(cls, package: str) -> "Queries":
        """Read every `sql/*.sql` of `package`; raises ValueError for a file that is not valid."""
        folder = files(package) / "sql"
        texts: dict[str, str] = {}
        for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
            if not file.name.endswith(".sql"):
                continue
            for name, text in _blocks(file.read_text(encoding="utf-8"), file.name):
                if name in texts:
                    raise ValueError(f"{package}: {file.name} names the query {name!r} a second time")
                texts[name] = text
        if not texts:
            raise ValueError(f"{package} has no named query in its sql folder")
        return cls(package, texts)

    def __getattr__(self, name: str) -> str:
        if name.startswith("__"):
            raise AttributeError(name)
        try:
            return self._texts[name]
        except KeyError:
            raise AttributeError(f"{self._package} has no query named {name!r}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)


def _blocks(source: str, file: str) -> Iterator[tuple[str, str]]:
    """Split a file at its name lines."""
    preface, *rest = _NAME_LINE.split(source)
    if _is_empty(preface):
        pairs = zip(rest[::2], rest[1::2], strict=True)
    else:
        raise ValueError(f"{file}: SQL before the first `-- name:` line")
    for name, text in pairs:
        if not name.isidentifier():
            raise ValueError(f"{file}: {name!r} cannot be the name of a query")
        if _is_empty(text):
            raise ValueError(f"{file}: the query {name!r} is empty")
        yield name, _fill_in(text.strip(), name, file)


def _is_empty(sql: str) -> bool:
    return not _COMMENT_LINE.sub("", sql).strip()


def _fill_in(text: str, name: str, file: str) -> str:
    """Write the numbers of named constants into a statement."""
    unknown = set(_CONSTANT.findall(text)) - set(SQL_CONSTANTS)
    if unknown:
        raise ValueError(f"{file}: the query {name!r} names unknown constants: {', '.join(sorted(unknown))}")
    return _CONSTANT.sub(lambda constant: str(SQL_CONSTANTS[constant[1]]), text)
