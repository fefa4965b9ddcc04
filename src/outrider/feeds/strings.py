"""Text as it may be stored: no control characters, no half characters, no more than fits."""

import re

_UNFIT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")


def clean(text: str) -> str:
    return text if text.isprintable() else _UNFIT.sub("", text)


def line(text: str | None, most: int) -> str | None:
    """`text` on one line, at most `most` characters long, or None where nothing is left."""
    if not text:
        return None
    # Cut first: white space is then looked for in no more than could be kept.
    return " ".join(clean(text[: most * 4]).split())[:most].rstrip() or None
