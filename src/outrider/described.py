"""Names that the database stores, each with a sentence that explains it to people."""

from enum import StrEnum
from typing import Self


class DescribedName(StrEnum):
    """A stored name and its sentence. The code that shows a sentence fills in its `{fields}`."""

    sentence: str

    def __new__(cls, name: str, sentence: str = "") -> Self:
        member = str.__new__(cls, name)
        member._value_ = name
        member.sentence = sentence
        return member
