"""Settings of politeness and the circuit breaker, with defaults that are gentle to any server."""

from dataclasses import dataclass, field
from datetime import timedelta

from outrider.options import setting

LONGEST_DELAY_MS = 24 * 3600 * 1000
LONGEST_RETRY_AFTER_S = 7 * 86_400


@dataclass(frozen=True, slots=True)
class HostOptions:
    """Politeness and circuit breaker."""

    delay_ms: int = field(
        default=1_000,
        metadata=setting(
            "OUTRIDER_DELAY",
            "Pause between two requests to a host that asks for none in its robots.txt.",
            alias=("CRAWLER_DELAY",),
            kind="milliseconds",
            least=0,
            most=LONGEST_DELAY_MS,
        ),
    )
    random_delay_ms: int = field(
        default=0,
        metadata=setting(
            "OUTRIDER_RANDOM_DELAY",
            "Up to this much is added to each pause, at random; 0 keeps an even rhythm.",
            alias=("CRAWLER_RANDOM_DELAY",),
            kind="milliseconds",
            least=0,
            most=60_000,
        ),
    )
    penalty_cap_ms: int = field(
        default=60_000,
        metadata=setting(
            "OUTRIDER_PENALTY_CAP",
            "Most that answers of 429 may add to a host's delay.",
            kind="milliseconds",
            least=0,
            most=3_600_000,
        ),
    )
    pause_cap: timedelta = field(
        default=timedelta(hours=24),
        metadata=setting(
            "OUTRIDER_RETRY_AFTER_CAP",
            "Longest that a host is left alone because its Retry-After asks for it.",
            kind="duration",
            least=0,
            most=LONGEST_RETRY_AFTER_S,
        ),
    )
    breaker_failures: int = field(
        default=5,
        metadata=setting(
            "OUTRIDER_BREAKER_FAILURES",
            "Failures in a row after which a host is left alone.",
            least=1,
            most=1_000,
        ),
    )
    breaker_rest: timedelta = field(
        default=timedelta(seconds=60),
        metadata=setting(
            "OUTRIDER_BREAKER_REST",
            "How long it is left alone the first time; each failed new try doubles it, up to ten times this.",
            kind="duration",
            least=1,
            most=3_600,
        ),
    )
