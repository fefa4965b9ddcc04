"""Settings of the Redis connection."""

from dataclasses import dataclass, field

from outrider.options import setting
from outrider.redis.address import MOST_DATABASES, Address, read_address


@dataclass(frozen=True, slots=True)
class RedisOptions:
    """Settings of an optional Valkey or Redis; without it everything works on PostgreSQL alone."""

    address: Address = field(
        default=Address(),
        metadata=setting(
            "OUTRIDER_REDIS_ADDRESS",
            "Where it is: host:port, redis://, rediss:// (TLS) or unix:///path.",
            alias=("REDIS_ADDRESS",),
            kind="text",
            parse=read_address,
            secret=True,
        ),
    )
    password: str | None = field(
        default=None,
        repr=False,
        metadata=setting(
            "OUTRIDER_REDIS_PASSWORD",
            "Its password, unless the address has one.",
            alias=("REDIS_PASSWORD",),
            secret=True,
        ),
    )
    db: int = field(
        default=0,
        metadata=setting(
            "OUTRIDER_REDIS_DB",
            "The number of its database, unless the address has one.",
            alias=("REDIS_DB",),
            least=0,
            most=MOST_DATABASES - 1,
        ),
    )
    workers: bool = field(
        default=False,
        metadata=setting(
            "OUTRIDER_REDIS_WORKERS",
            "Write the heartbeat of each worker to Redis too, for other programs.",
        ),
    )
    events: bool = field(
        default=False,
        metadata=setting(
            "OUTRIDER_REDIS_EVENTS",
            "Publish changes of sources on the stream source-events, and act on what others publish there.",
            alias=("REDIS_EVENTS_ENABLED",),
        ),
    )
    run_logs: bool = field(
        default=False,
        metadata=setting(
            "OUTRIDER_REDIS_RUN_LOGS",
            "Copy the logs of runs to the streams logs:JOB, where they stay for a day.",
            alias=("JOB_LOGS_REDIS_ENABLED",),
        ),
    )
    adaptive: bool = field(
        default=False,
        metadata=setting(
            "OUTRIDER_REDIS_ADAPTIVE",
            "Show the adaptive interval of each source to other programs, at crawler:adaptive:SOURCE_ID.",
        ),
    )
    totals: bool = field(
        default=False,
        metadata=setting(
            "OUTRIDER_REDIS_TOTALS",
            "Write the totals of pages, failures and bytes to crawler:stats:…, for other programs.",
        ),
    )
    sessions: bool = field(
        default=False,
        metadata=setting(
            "OUTRIDER_REDIS_SESSIONS",
            "Keep sessions of the dashboard in Redis, at session:ID; while it is away, no session works.",
        ),
    )
    rate_limits: bool = field(
        default=False,
        metadata=setting(
            "OUTRIDER_REDIS_RATE_LIMITS",
            "Count requests for the rate limits in Redis; without it PostgreSQL counts them.",
        ),
    )
