"""Every metric of `/metrics` with its sentence. Labels are closed sets: no URL, no host (OBS-14). Pure."""

from dataclasses import dataclass
from enum import StrEnum


class MetricKind(StrEnum):
    """How Prometheus treats a metric."""

    COUNTER = "counter"
    GAUGE = "gauge"
    HISTOGRAM = "histogram"


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric and the names of its labels."""

    name: str
    kind: MetricKind
    help: str
    labels: tuple[str, ...] = ()


def _counter(name: str, help: str, *labels: str) -> Metric:
    return Metric(name, MetricKind.COUNTER, help, labels)


def _gauge(name: str, help: str, *labels: str) -> Metric:
    return Metric(name, MetricKind.GAUGE, help, labels)


def _histogram(name: str, help: str, *labels: str) -> Metric:
    return Metric(name, MetricKind.HISTOGRAM, help, labels)


# The crawl (OBS-01)
PAGES_FETCHED = _counter("crawler_pages_fetched_total", "Pages visited.")
PAGES_PER_SECOND = _gauge("crawler_pages_per_second", "Pages a second of all live workers.")
SUCCESS_RATE = _gauge("crawler_fetch_success_rate", "Share of recent requests with an answer of 2xx or 3xx.")
HTTP_STATUS = _counter("crawler_http_status_total", "Answers by HTTP status.", "status")
FRONTIER_SIZE = _gauge("crawler_frontier_size", "Entries of the frontier by state.", "state")
ROBOTS_DENIALS = _gauge("crawler_robots_denials", "Entries that robots.txt disallows.")
ACTIVE_WORKERS = _gauge("crawler_active_workers", "Workers with a recent heartbeat.")

# More about the crawl (OBS-03)
BYTES = _counter("crawler_bytes_downloaded_total", "Bytes received, as they came over the network.")
REQUESTS = _counter("crawler_requests_total", "Requests made for entries.")
FAILURES = _counter("crawler_fetch_failures_total", "Requests without a status, by outcome.", "outcome")
CLAIM_SECONDS = _gauge("crawler_claim_seconds", "Mean time of a claim of hosts, of all live workers.")
HOSTS_WAITING = _gauge(
    "crawler_hosts_waiting", "Hosts with queued URLs by what they wait for, up to 10,000.", "why"
)
HOSTS_THROTTLED = _gauge("crawler_hosts_throttled", "Hosts that wait because their server asked for less.")
RETRIES = _counter("crawler_retries_total", "Visits that are tried again, by reason.", "reason")
DEAD = _gauge("crawler_dead_urls", "Dead entries by reason.", "reason")
REDIRECTS = _counter("crawler_redirects_followed_total", "Redirects followed.")
TOO_MANY_REDIRECTS = _gauge("crawler_too_many_redirects", "Entries that redirect too often or in a circle.")
DUPLICATES = _gauge("crawler_content_duplicates", "Documents with the text of another one.", "kind")
POLLS = _counter("crawler_feed_polls_total", "Polls of feeds and sitemaps by result.", "result")
QUEUE_AGE = _gauge("crawler_queue_age_seconds", "How long the oldest due host waits.")
BREAKERS = _gauge("crawler_breaker_hosts", "Hosts with an open or half-open circuit breaker.", "state")
DEGRADED = _gauge("crawler_degraded", "1 if a part does not work, as /health tells.", "check")
INDEX_FAILURES = _gauge("crawler_index_failures", "Pages that sinks of live workers could not store.")
ARCHIVE_QUEUE = _gauge("crawler_archive_queue", "Logs of runs that are not archived, up to 10,000.")
LOCK_CONTENTION = _counter(
    "crawler_lock_contention_total", "Due jobs that a scheduler lost to another process."
)
STALE_RECOVERIES = _counter("crawler_stale_recoveries_total", "Runs that another scheduler took over.")

# Owned sites (OBS-06)
REDIRECT_HITS = _counter("outrider_redirect_hits_total", "Visitors of owned sites that were redirected.")
BROKEN_URLS = _counter("outrider_broken_urls_recorded_total", "Reports of pages that visitors miss.")
BROKEN_RESOLVED = _counter(
    "outrider_broken_urls_resolved_total", "Broken URLs that were redirected without a person."
)
LINK_CHECKS = _counter("outrider_link_checks_total", "Checks of links by result.", "result")
DEAD_LINKS = _gauge("outrider_dead_links", "Dead links that are not ignored, up to 1,000.")

# Backups
BACKUP_AGE = _gauge("outrider_backup_age_seconds", "Age of the newest good backup.")
BACKUP_BYTES = _gauge("outrider_backup_bytes", "Size of the newest good backup.")
BACKUP_VERIFIED = _gauge(
    "outrider_backup_verified", "1 if the last attempt wrote and verified a backup, 0 if it failed."
)

# The scheduler (OBS-04)
SCHEDULERS = _gauge("crawler_active_schedulers", "Schedulers with a recent heartbeat.")
JOBS = _gauge("crawler_jobs", "Jobs by status.", "status")
DISTRIBUTION_SCORE = _gauge(
    "crawler_scheduler_distribution_score", "How evenly jobs are spread over the day: 1 is even."
)
JOBS_PER_HOUR = _gauge("crawler_scheduler_hourly_jobs", "Runs of the next 24 hours by hour (UTC).", "hour")
PLACEMENTS = _gauge("crawler_scheduler_placements", "Jobs that got a slot in the last day, by type.", "type")
REBALANCED = _counter(
    "crawler_scheduler_rebalanced_jobs_total", "Jobs that rebalances moved or skipped.", "result"
)

# Alerts (OBS-09)
ALERTS = _gauge("outrider_open_alerts", "Open alerts by kind and severity.", "kind", "severity")

# The server
HTTP_REQUESTS = _counter(
    "outrider_http_requests_total", "Requests answered by the API.", "route", "method", "status"
)
HTTP_SECONDS = _histogram("outrider_http_request_seconds", "How long answers of the API take.", "route")
SSE_CLIENTS = _gauge("crawler_sse_clients", "Open event streams.")
BUILD = _gauge("outrider_build_info", "1, with the version as label.", "version")

# Sign-in (OBS-05): counted by `auth/`
LOGINS = _counter("outrider_logins_total", "Logins by outcome.", "outcome")
LOGIN_SECONDS = _histogram("outrider_login_seconds", "How long a login takes.")
TOKENS_ISSUED = _counter("outrider_tokens_issued_total", "Sessions and tokens by kind.", "kind")
RATE_LIMITED = _counter("outrider_rate_limited_total", "Requests over a rate limit.", "limit")
RATE_LIMIT_FALLBACKS = _counter(
    "outrider_rate_limit_fallbacks_total",
    "Requests that one process counted alone.",
)

METRICS: tuple[Metric, ...] = tuple(each for each in list(globals().values()) if isinstance(each, Metric))
