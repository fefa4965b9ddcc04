"""Which live page a missed path means, if that is clear enough. Pure."""

import re
from collections.abc import Sequence

from outrider.redirects.broken_store import Suggestion
from outrider.sites.model import SiteSettings

MOST_SUGGESTIONS = 5


def clear_match(candidates: Sequence[Suggestion], settings: SiteSettings) -> Suggestion | None:
    """The best candidate if it passes the threshold, and the second is behind it by the margin (BRU-05)."""
    if not candidates or candidates[0].confidence < settings.confidence_threshold:
        return None
    second = candidates[1].confidence if len(candidates) > 1 else 0.0
    return candidates[0] if candidates[0].confidence - second >= settings.confidence_margin else None


def may_resolve(path: str, patterns: Sequence[str]) -> bool:
    """Whether broken URLs of this path are resolved without a person (BRU-08). `*` stands for anything."""
    return any(re.fullmatch(_regex(pattern), path) for pattern in patterns)


def _regex(pattern: str) -> str:
    return ".*".join(map(re.escape, re.split(r"\*+", pattern)))
