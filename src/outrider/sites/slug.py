"""Slugs: the last part of a path, made from a title. Pure."""

import re
import unicodedata

LONGEST_SLUG = 80
_OTHER = re.compile(r"[^a-z0-9]+")
_LETTERS = str.maketrans({"ß": "ss", "æ": "ae", "ø": "o", "œ": "oe", "đ": "d", "ł": "l", "þ": "th", "ð": "d"})


def slug_of(title: str, otherwise: str = "untitled") -> str:
    """`Größe & Farbe` becomes `grosse-farbe`. A title without Latin letters or digits becomes `otherwise`."""
    plain = unicodedata.normalize("NFKD", title.lower().translate(_LETTERS))
    made = _OTHER.sub("-", plain.encode("ascii", "ignore").decode()).strip("-")
    return made[:LONGEST_SLUG].rstrip("-") or otherwise


def words_of(path: str) -> str:
    """The words of the last part of a path: `/shop/red-shoe_2` becomes `red shoe 2`."""
    last = path.rstrip("/").rpartition("/")[2]
    stem = last.rpartition(".")[0] or last
    return " ".join(re.split(r"[-_.+\s]+", stem.lower())).strip()
