"""The names of users. Pure."""

import re
import unicodedata

from outrider.errors import InvalidInput

LONGEST_NAME = 100

_NAME = re.compile(r"[\w.@+-]+")


def check_name(name: str) -> str:
    """The name as it is stored; raises InvalidInput with what is allowed."""
    stored = unicodedata.normalize("NFKC", name)
    if len(stored) > LONGEST_NAME or not _NAME.fullmatch(stored):
        raise InvalidInput(
            f"a user name has 1 to {LONGEST_NAME} letters, digits or . _ - @ +, and no blanks: choose another"
        )
    return stored


def name_key(name: str) -> str:
    """What is compared: names that differ by case alone are one name. Any text can be looked up."""
    cut = name[: 10 * LONGEST_NAME].replace("\x00", "\ufffd").encode("utf-8", "replace").decode()
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", cut).casefold())
