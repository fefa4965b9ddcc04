"""Chooses where sessions and windows of rate limits are, by the settings."""

from outrider.auth.memory_rate_limits import RateLimitsWithFallback
from outrider.auth.metrics import AuthMetrics
from outrider.auth.postgres_rate_limits import PostgresRateLimits
from outrider.auth.rate_limits import RateLimitStore
from outrider.auth.sessions import PostgresSessions, SessionStore
from outrider.redis.options import RedisOptions


def open_sessions(options: RedisOptions) -> SessionStore:
    """Sessions in Redis if the settings say so, else in PostgreSQL. The caller closes the store."""
    if not options.sessions:
        return PostgresSessions()
    # Importing redis is slow, and seldom needed.
    from outrider.auth.redis_sessions import RedisSessions

    return RedisSessions(options)


def open_rate_limits(options: RedisOptions, metrics: AuthMetrics) -> RateLimitStore:
    """Windows in Redis if the settings say so, else in PostgreSQL; each process alone while that is away."""
    if not options.rate_limits:
        return RateLimitsWithFallback(PostgresRateLimits(), metrics)
    from outrider.auth.redis_rate_limits import RedisRateLimits

    return RateLimitsWithFallback(RedisRateLimits(options), metrics)
