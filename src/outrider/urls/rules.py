"""The normalisation rules that go beyond the URL standard."""

from dataclasses import dataclass
from typing import Final

from outrider.urls.tracking import DEFAULT_TRACKING, Tracking

# Raise it with every change that gives an already stored URL another hash: those rows need a rehash.
RULES_VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class Rules:
    """How to spell a URL. A source may have its own."""

    strip_trailing_slash: bool = True
    tracking: Tracking = DEFAULT_TRACKING
    # The limit of the sitemap protocol; longer links are nearly always traps.
    max_length: int = 2_048


DEFAULT_RULES: Final = Rules()
