"""Keeps the harmless declarations of a `style` attribute: none that load, run or cover anything."""

import re

from outrider.feeds.strings import words

_PROPERTIES = words(
    "background-color background-x background-y border border-collapse border-color border-spacing "
    "border-style border-width clear color direction display float font font-family font-size font-style "
    "font-variant font-weight height letter-spacing line-height list-style-type margin margin-bottom "
    "margin-left margin-right margin-top max-width padding padding-bottom padding-left padding-right "
    "padding-top text-align text-decoration text-indent text-transform vertical-align white-space width "
    "word-spacing"
)
# No brackets, so no url() and no expression(). No backslash, so no escaped form of them.
_VALUE = re.compile(r"[\w#%., '-]+")
_MOST_CHARS = 2_000


def safe_style(written: str) -> str:
    """The kept declarations in a canonical form."""
    kept = []
    for declaration in written[:_MOST_CHARS].split(";"):
        name, _, value = declaration.partition(":")
        name, value = name.strip().lower(), value.strip()
        if name in _PROPERTIES and _VALUE.fullmatch(value):
            kept.append(f"{name}: {value};")
    return " ".join(kept)
