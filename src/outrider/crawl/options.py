"""Settings of the crawl and of the processes that do it."""

import re
from dataclasses import dataclass, field
from enum import StrEnum

from outrider.options import setting

LONGEST_WORKER_ID = 64
_WORKER_ID = re.compile(r"[A-Za-z0-9._:-]+")


def read_worker_id(text: str) -> str:
    """The name of a worker. Raises ValueError for a text that cannot be part of a key in Redis."""
    if len(text) > LONGEST_WORKER_ID or not _WORKER_ID.fullmatch(text):
        raise ValueError(f"it has at most {LONGEST_WORKER_ID} letters, digits, dots, colons, _ and -")
    return text


class ScanChoice(StrEnum):
    """Which code reads every page. Both give the same results."""

    AUTO = "auto"  # the compiled scan where there is one
    NATIVE = "native"
    PYTHON = "python"


@dataclass(frozen=True, slots=True)
class CrawlOptions:
    """How much at once, how far, and how results are written."""

    workers: int = field(
        default=0,
        metadata=setting(
            "OUTRIDER_WORKERS", "Worker processes; 0 means one for each core.", least=0, most=256
        ),
    )
    worker_id: str | None = field(
        default=None,
        metadata=setting(
            "OUTRIDER_WORKER_ID",
            "The name of this worker for operators; several worker processes add their numbers to it.",
            alias=("WORKER_ID",),
            kind="text",
            parse=read_worker_id,
        ),
    )
    lanes: int = field(
        default=100,
        metadata=setting(
            "OUTRIDER_LANES",
            "Hosts one worker process talks to at the same time.",
            alias=("FETCHER_WORKER_COUNT", "CRAWLER_MAX_CONCURRENCY"),
            least=1,
            most=10_000,
        ),
    )
    turn_s: float = field(
        default=12.0,
        metadata=setting(
            "OUTRIDER_TURN",
            "How long a worker stays with one host before it looks whether something is more urgent.",
            kind="duration",
            least=0.1,
            most=3600,
        ),
    )
    submissions_per_s: int = field(
        default=100,
        metadata=setting(
            "OUTRIDER_SUBMISSIONS_PER_S",
            "New URLs a second that pages of one watched source may bring; what is over it makes them wait.",
            least=1,
            most=1_000_000,
        ),
    )
    respect_robots: bool = field(
        default=True,
        metadata=setting(
            "OUTRIDER_RESPECT_ROBOTS",
            "Obey robots.txt; switching it off is for sites you own.",
            alias=("CRAWLER_RESPECT_ROBOTS_TXT",),
        ),
    )
    robots_ttl_s: float = field(
        default=24 * 3600.0,
        metadata=setting(
            "OUTRIDER_ROBOTS_TTL",
            "How long a fetched robots.txt is believed.",
            kind="duration",
            least=60,
            most=7 * 86_400,
        ),
    )
    max_attempts: int = field(
        default=3,
        metadata=setting(
            "OUTRIDER_MAX_ATTEMPTS",
            "Failed fetches of a URL after which it is dead.",
            alias=("FETCHER_MAX_RETRIES", "CRAWLER_MAX_RETRIES"),
            least=1,
            most=20,
        ),
    )
    transport_tries: int = field(
        default=3,
        metadata=setting(
            "OUTRIDER_TRANSPORT_TRIES",
            "Tries within one fetch when the connection breaks, each in the host's own rhythm.",
            least=1,
            most=10,
        ),
    )
    depth_cap: int = field(
        default=10,
        metadata=setting("OUTRIDER_DEPTH_CAP", "No crawl goes deeper than this.", least=0, most=10_000),
    )
    duplicate_words: int = field(
        default=20,
        metadata=setting(
            "OUTRIDER_DUPLICATE_WORDS",
            "Pages with fewer words are never taken for duplicates of each other.",
            least=0,
            most=10_000,
        ),
    )
    scan: ScanChoice = field(
        default=ScanChoice.AUTO,
        metadata=setting(
            "OUTRIDER_SCAN",
            "Which code reads every page: the compiled scan (native), the one in Python, or the compiled one "
            "where it was built (auto). The results are the same; `outrider doctor` says which one runs.",
        ),
    )
    readability: bool | None = field(
        default=None,
        metadata=setting(
            "OUTRIDER_READABILITY",
            "Weigh the blocks of a page where selectors find fewer than 50 words; unset, this is done "
            "for sources without selectors.",
            alias=("CRAWLER_READABILITY_FALLBACK_ENABLED",),
        ),
    )
    flush_pages: int = field(
        default=50,
        metadata=setting(
            "OUTRIDER_FLUSH_PAGES", "Pages written in one commit, at most.", least=1, most=1_000
        ),
    )
    flush_interval_s: float = field(
        default=0.25,
        metadata=setting(
            "OUTRIDER_FLUSH_INTERVAL",
            "Longest that a finished page waits for its commit.",
            kind="duration",
            least=0.01,
            most=60,
        ),
    )
    share_visited: bool = field(
        default=False,
        metadata=setting(
            "OUTRIDER_REDIS_VISITED",
            "Workers tell each other through Redis which URLs the database has, and look up fewer.",
            alias=("CRAWLER_REDIS_STORAGE_ENABLED",),
        ),
    )
    share_visited_s: float = field(
        default=168 * 3600.0,
        metadata=setting(
            "OUTRIDER_REDIS_VISITED_TTL",
            "How long Redis may remember one.",
            alias=("CRAWLER_REDIS_STORAGE_EXPIRES",),
            kind="duration",
            least=60,
            most=365 * 86_400,
        ),
    )
    patience_s: float = field(
        default=90.0,
        metadata=setting(
            "OUTRIDER_PATIENCE",
            "A crawl ends when everything left has to wait for longer than this.",
            kind="duration",
            least=0,
            most=30 * 86_400,
        ),
    )
    drain_s: float = field(
        default=30.0,
        metadata=setting(
            "OUTRIDER_DRAIN",
            "How long requests under way may take to finish after an interrupt.",
            kind="duration",
            least=0,
            most=600,
        ),
    )
