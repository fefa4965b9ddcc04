"""Where the C sources and the built library are."""

from functools import cache
from hashlib import sha256
from pathlib import Path

FOLDER = Path(__file__).parent
SOURCE = FOLDER / "source"
BUILT = FOLDER / "built" / "scan.so"  # in no commit; the wheel ships it
_GENERATORS = (FOLDER / "tables.py", FOLDER.parent / "tree" / "tag_names.py")


@cache
def source_hash() -> str:
    """A hash of all that the library is made of, so that an old build is never taken for the present one."""
    found = sha256()
    for file in (*sorted(SOURCE.iterdir()), *_GENERATORS):
        found.update(b"%b %d\n" % (file.name.encode(), file.stat().st_size))
        found.update(file.read_bytes())
    return found.hexdigest()[:16]
