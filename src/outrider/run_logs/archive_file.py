"""The file of an archived log: gzip, one JSON object a line, with the positions that the lines had."""

import gzip
import json
from collections import deque
from collections.abc import Iterable
from pathlib import Path

from outrider.object_store.model import ObjectStore
from outrider.run_logs.model import LogLine, RunNames
from outrider.run_logs.store import LogFilter

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class ArchiveFile:
    """Writes lines to a new file. The same lines make the same bytes."""

    def __init__(self, path: Path, names: RunNames) -> None:
        self._raw = path.open("wb")
        self._file = gzip.GzipFile(filename="", mode="wb", fileobj=self._raw, mtime=0)
        self._names = names
        self.lines = 0

    def write(self, lines: Iterable[LogLine]) -> None:
        texts = [f"{_encode(line.as_json(self._names))}\n" for line in lines]
        self._file.write("".join(texts).encode())
        self.lines += len(texts)

    def close(self) -> None:
        self._file.close()
        self._raw.close()


def read_archive(
    objects: ObjectStore, key: str, after: int, wanted: LogFilter, most: int, *, newest: bool = False
) -> list[LogLine] | None:
    """The first lines after a number, or the newest ones; None if the store has no such object."""
    file = objects.open(key)
    if file is None:
        return None
    found: deque[LogLine] = deque(maxlen=most)
    with file, gzip.open(file) as lines:
        for text in lines:
            line = LogLine.from_json(json.loads(text))
            if line.position.number > after and wanted.fits(line):
                found.append(line)
                if len(found) == most and not newest:
                    break
    return list(found)
