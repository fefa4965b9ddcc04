"""What the forms of several pages share: lists of selected things, texts, numbers."""

from typing import Annotated

from fastapi import Form, Query

from outrider.errors import InvalidInput

MOST_SELECTED = 1_000
MOST_TOLD = 50  # refused items that a page lists

Chosen = Annotated[str, Query(max_length=200)]  # the value of a filter
Selected = Annotated[list[Annotated[str, Query(max_length=500)]], Query(max_length=MOST_SELECTED)]
SelectedForm = Annotated[list[Annotated[str, Form(max_length=500)]], Form(max_length=MOST_SELECTED)]
ShortText = Annotated[str, Form(max_length=1_000)]
LongText = Annotated[str, Form(max_length=100_000)]
Tick = Annotated[bool, Form()]


def whole(text: str, name: str, least: int, most: int) -> int | None:
    """A number from a field that may be empty; raises InvalidInput with the bounds."""
    text = text.strip()
    if not text:
        return None
    if not text.removeprefix("-").isdecimal() or len(text) > len(str(most)) + 1:
        raise InvalidInput(f"{name} is a whole number from {least:,} to {most:,}")
    if not least <= int(text) <= most:
        raise InvalidInput(f"{name} is a whole number from {least:,} to {most:,}, not {int(text):,}")
    return int(text)


def lines_of(text: str) -> list[str]:
    """The lines of a text area that say something."""
    return [line.strip() for line in text.splitlines() if line.strip()]
