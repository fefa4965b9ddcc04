"""The catalogue of the counters of a run: the values of `run_counter.name`.

Names with a variable part begin as `CounterPrefix` of the frontier says: `status.`, `failure.`, `dead.`.
"""

from outrider.described import DescribedName


class RunCounter(DescribedName):
    """A counter with a fixed name."""

    ADDED = "added", "entries that became part of the run"
    SETTLED = "settled", "entries that the run waits for no more"
    DEAD = "dead", "entries that were given up"
    WITHDRAWN = "withdrawn", "entries that left the queue because the run was cancelled"
    LEFT_OVER = (
        "left_over",
        "entries that stayed queued: page limit reached, source removed, or host blocked",
    )
    PAGES = "pages", "pages fetched, or confirmed as unchanged"
    INDEXED = "indexed", "pages that search indexes"
    REQUESTS = "requests", "requests made"
    REQUESTS_FAILED = "requests_failed", "requests without a usable answer"
    BYTES = "bytes", "bytes received, as they came over the network"
    RATE_LIMITS = "rate_limits", "answers 429"
    CLOUDFLARE_BLOCKS = "cloudflare_blocks", "requests that Cloudflare refused in place of the site"
    RESPONSE_MS = "response_ms", "milliseconds of all answers together"
    RESPONSE_MS_MIN = "response_ms_min", "milliseconds of the fastest answer"
    RESPONSE_MS_MAX = "response_ms_max", "milliseconds of the slowest answer"
    WORDS = "words", "words of all pages together"
    EMPTY_TITLE = "empty_title", "pages without a title"
    EMPTY_BODY = "empty_body", "pages without words"
    BEYOND_DEPTH = "beyond_depth", "links beyond the depth of the crawl"
