"""Counts of logins, tokens and rate limits, in the form that /metrics shows (OBS-05)."""

from enum import StrEnum

from prometheus_client import CollectorRegistry, Counter, Histogram


class LoginOutcome(StrEnum):
    """How a login ended."""

    SUCCEEDED = "succeeded"
    FAILED = "failed"
    THROTTLED = "throttled"


class TokenKind(StrEnum):
    """A credential that was issued."""

    SESSION = "session"
    JWT = "jwt"
    API_TOKEN = "api_token"
    STREAM_TOKEN = "stream_token"


class AuthMetrics:
    """The counts of one process; the server gives the registry that /metrics shows."""

    def __init__(self, registry: CollectorRegistry | None = None) -> None:
        self.registry = registry or CollectorRegistry()
        self._logins = Counter("outrider_logins", "Logins by outcome.", ["outcome"], registry=self.registry)
        self._login_s = Histogram(
            "outrider_login_seconds",
            "How long a login takes, with the check of the password.",
            buckets=(0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5),
            registry=self.registry,
        )
        self._issued = Counter(
            "outrider_tokens_issued", "Sessions and tokens by kind.", ["kind"], registry=self.registry
        )
        self._refused = Counter(
            "outrider_rate_limited", "Requests over a rate limit.", ["limit"], registry=self.registry
        )
        self._fallbacks = Counter(
            "outrider_rate_limit_fallbacks",
            "Requests that this process counted alone, because PostgreSQL or Redis did not answer.",
            registry=self.registry,
        )

    def count_login(self, outcome: LoginOutcome, took_s: float) -> None:
        self._logins.labels(outcome.value).inc()
        self._login_s.observe(took_s)

    def count_token(self, kind: TokenKind) -> None:
        self._issued.labels(kind.value).inc()

    def count_rate_limited(self, limit: str) -> None:
        self._refused.labels(limit).inc()

    def count_fallback(self) -> None:
        self._fallbacks.inc()
