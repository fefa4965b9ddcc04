"""Tells programs from people by their User-Agent. Pure."""

import re
from collections.abc import Sequence

_WORDS = (
    "bot",
    "crawl",
    "spider",
    "slurp",
    "fetch",
    "scan",
    "monitor",
    "preview",
    "curl",
    "wget",
    "python",
    "java/",
    "go-http",
    "okhttp",
    "libwww",
    "httpx",
    "aiohttp",
    "axios",
    "node-fetch",
    "headless",
    "phantom",
    "lighthouse",
    "outrider",
    "facebookexternalhit",
    "feed",
    "rss",
    "check",
    "validator",
    "archiver",
)
_MOST_REMEMBERED = 2_000
_LONGEST_AGENT = 512


class BotFilter:
    """Whether a User-Agent names a program. Answers are remembered: most visitors share few of them."""

    def __init__(self, more_words: Sequence[str] = ()) -> None:
        words = "|".join(re.escape(word.lower()) for word in (*_WORDS, *more_words))
        self._pattern = re.compile(words.encode())
        self._known: dict[bytes, bool] = {}

    def is_bot(self, agent: bytes) -> bool:
        """A request without a User-Agent comes from a program."""
        known = self._known.get(agent)
        if known is not None:
            return known
        found = not agent or len(agent) > _LONGEST_AGENT or self._pattern.search(agent.lower()) is not None
        if len(agent) <= _LONGEST_AGENT:
            if len(self._known) >= _MOST_REMEMBERED:
                self._known.clear()
            self._known[agent] = found
        return found
