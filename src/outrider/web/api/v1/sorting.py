"""The direction of a list."""

from enum import StrEnum


class SortOrder(StrEnum):
    """Smallest first, or largest first."""

    ASC = "asc"
    DESC = "desc"
