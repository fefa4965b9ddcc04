"""Paths as regular expressions that every engine reads in the same way: PCRE in Apache, RE2 in Caddy.

Whatever is neither an ASCII letter or digit nor harmless is written as `\\x2e`, which needs no quoting in any
configuration file.
"""

import re

_SPECIAL = re.compile(r"[^A-Za-z0-9/_\u0080-\U0010ffff-]")
_READ = re.compile(r"\\x([0-9a-f]{2})|\\(.)|\[(.)[A-Za-z]\]")


def pattern_of(path: str) -> str:
    """A regular expression for exactly this decoded path."""
    return _SPECIAL.sub(lambda found: f"\\x{ord(found[0]):02x}", path)


def caseless_pattern_of(path: str) -> str:
    """A regular expression for all spellings of a decoded path that differ in the case of ASCII letters."""
    return "".join(
        f"[{each.lower()}{each.upper()}]" if each.isascii() and each.isalpha() else pattern_of(each)
        for each in path
    )


def path_of(pattern: str) -> str:
    """The decoded path of an expression that was written here."""
    return _READ.sub(lambda found: chr(int(found[1], 16)) if found[1] else found[2] or found[3], pattern)
