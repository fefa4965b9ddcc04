"""Variables of earlier crawlers that are not an alias of a setting, with the reason (CFG-02)."""

from collections.abc import Mapping
from urllib.parse import quote

POSTGRES_PARTS = tuple(
    f"POSTGRES_CRAWLER_{part}" for part in ("HOST", "PORT", "USER", "PASSWORD", "DB", "SSLMODE")
)

_ONE_RETRY_POLICY = "The frontier has the only retry policy: see OUTRIDER_MAX_ATTEMPTS."
_LISTS = "`outrider source import URL` reads the list of another program each time it runs."
_UNITS = "Durations are written with their unit now: OUTRIDER_FEED_INTERVAL and its neighbours."
_BOUNDS = "Crawls and sources are limited one by one, by --scope, --allow-domain and --bar-domain."

DROPPED: Mapping[str, str] = {
    "APP_ENV": "There are no environments; Outrider behaves the same in production.",
    "APP_DEBUG": "OUTRIDER_LOG_LEVEL=debug logs more; nothing else changes.",
    "CRAWLER_RETRY_DELAY": _ONE_RETRY_POLICY,
    "CRAWLER_HTTP_RETRY_MAX": _ONE_RETRY_POLICY,
    "CRAWLER_HTTP_RETRY_DELAY": _ONE_RETRY_POLICY,
    "CRAWLER_MAX_REQUESTS": "One crawl is limited by --max-pages.",
    "CRAWLER_MAX_URL_LENGTH": "The limit is fixed, because URL normalisation depends on it.",
    "CRAWLER_USE_RANDOM_USER_AGENT": "Outrider always identifies itself: see OUTRIDER_USER_AGENT.",
    "CRAWLER_USE_REFERER": "No Referer is sent.",
    "CRAWLER_DETECT_CHARSET": "The charset is always detected.",
    "CRAWLER_TRACE_HTTP": "`outrider fetch URL` shows one exchange in full.",
    "CRAWLER_VALIDATE_URLS": "URLs are always validated.",
    "CRAWLER_TLS_MIN_VERSION": "TLS 1.2 is always the minimum.",
    "CRAWLER_SOURCES_API_URL": _LISTS,
    "SOURCE_MANAGER_URL": _LISTS,
    "FETCHER_SOURCE_MANAGER_URL": _LISTS,
    "CRAWLER_FEED_POLL_INTERVAL_MINUTES": _UNITS,
    "CRAWLER_FEED_DISCOVERY_INTERVAL_MINUTES": _UNITS,
    "CRAWLER_FEED_DISCOVERY_RETRY_HOURS": _UNITS,
    "CRAWLER_ALLOWED_DOMAINS": _BOUNDS,
    "CRAWLER_DISALLOWED_DOMAINS": _BOUNDS,
    "CRAWLER_SAVE_DISCOVERED_LINKS": "The option --external of a source says what happens to outside links.",
    "FETCHER_ENABLED": "To stop fetching, stop the process.",
    "FETCHER_CLAIM_RETRY_DELAY": "An idle worker waits for the next due host, not for a fixed time.",
    "JOB_LOGS_ARCHIVE_ENABLED": "The log of an ended run is always archived.",
    "JOB_LOGS_REDIS_KEY_PREFIX": "The streams in Redis are named logs:JOB.",
    "JOB_LOGS_REDIS_TTL_SECONDS": "A stream in Redis lives for a day after its last line.",
    "FETCHER_STALE_CHECK_INTERVAL": "The next claim takes over expired leases; no separate check runs.",
}

_API = "Comes with the HTTP API."
_INDEX = "Comes with the search index."
_ARCHIVE = "Comes with the archive."
_DISCOVERY = "Comes with the discovery of sources."


def _all(reason: str, prefix: str, *endings: str) -> dict[str, str]:
    return {prefix + ending: reason for ending in endings}


LATER: Mapping[str, str] = {
    **_all(_API, "CRAWLER_SERVER_", "ADDRESS", "READ_TIMEOUT", "WRITE_TIMEOUT", "IDLE_TIMEOUT"),
    "CRAWLER_CLEANUP_INTERVAL": "Comes with the lifecycle of data.",
    "CRAWLER_RENDER_WORKER_URL": "Comes with rendering.",
    "FETCHER_ELASTICSEARCH_URL": _INDEX,
    **_all(
        _INDEX,
        "ELASTICSEARCH_",
        *("ADDRESSES", "API_KEY", "USERNAME", "PASSWORD", "INDEX_NAME", "BULK_SIZE", "FLUSH_INTERVAL"),
        *("MAX_RETRIES", "RETRY_*", "TLS_*"),
    ),
    **_all(
        _ARCHIVE,
        "CRAWLER_MINIO_",
        *("ENABLED", "BUCKET", "METADATA_BUCKET"),
    ),
    "AWS_BUCKET": _ARCHIVE,
    "JOB_LOGS_SSE_ENABLED": _API,
    "CRAWLER_AUTO_SOURCE_DISCOVERY_ENABLED": _DISCOVERY,
    **_all(
        _DISCOVERY,
        "CRAWLER_DISCOVERY_",
        *("ALLOWLIST", "BLOCKLIST", "GLOBAL_BUDGET_PER_DAY", "MAX_CANDIDATES_PER_RUN"),
    ),
}

WITHOUT_EFFECT: Mapping[str, str] = {**DROPPED, **LATER}


def database_url(environ: Mapping[str, str]) -> str | None:
    """The address that the `POSTGRES_CRAWLER_*` parts describe; None unless they name a host."""
    host, port, user, password, name, sslmode = (environ.get(part, "") for part in POSTGRES_PARTS)
    if not host:
        return None
    login = quote(user or "postgres", safe="") + (f":{quote(password, safe='')}" if password else "")
    # A host that starts with a slash is a directory of sockets, which has no place in the authority.
    query = [f"host={quote(host, safe='/')}"] if host.startswith("/") else []
    query += [f"sslmode={quote(sslmode)}"] if sslmode else []
    authority = "" if host.startswith("/") else (f"[{host}]" if ":" in host else quote(host))
    place = f"{authority}:{port}" if port else authority
    return f"postgresql://{login}@{place}/{quote(name or user or 'postgres', safe='')}" + (
        "?" + "&".join(query) if query else ""
    )
