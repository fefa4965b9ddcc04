"""Settings of locks and leadership."""

from dataclasses import dataclass, field

from outrider.options import setting
from outrider.redis.address import Address, read_address

MOST_SERVERS = 15


def read_addresses(text: str) -> tuple[Address, ...]:
    """Parse a comma list of Redis addresses. Raises ValueError with the reason."""
    found = tuple(read_address(part) for part in text.split(",") if part.strip())
    if len(found) > MOST_SERVERS:
        raise ValueError(f"give at most {MOST_SERVERS} servers")
    if len({(each.host, each.port, each.path) for each in found}) < len(found):
        raise ValueError("one server is named twice, and would have two votes")
    return found


@dataclass(frozen=True, slots=True)
class CoordinationOptions:
    """Settings of the leader of several processes; all processes must have the same."""

    redis: tuple[Address, ...] = field(
        default=(),
        metadata=setting(
            "OUTRIDER_COORDINATION_REDIS",
            "Independent Redis servers that hold the locks; with several, most of them must agree (Redlock). "
            "Without it the server of OUTRIDER_REDIS_ADDRESS, if that is set, else PostgreSQL.",
            parse=read_addresses,
            secret=True,
        ),
    )
    ttl_s: float = field(
        default=30.0,
        metadata=setting(
            "OUTRIDER_LEADER_TTL",
            "How long a leader that does not renew stays leader.",
            kind="duration",
            least=1,
            most=3600,
        ),
    )
    renew_s: float = field(
        default=10.0,
        metadata=setting(
            "OUTRIDER_LEADER_RENEWAL",
            "Time between two renewals of a leader; at most half of OUTRIDER_LEADER_TTL.",
            kind="duration",
            least=0.1,
            most=1800,
        ),
    )
    retry_s: float = field(
        default=5.0,
        metadata=setting(
            "OUTRIDER_LEADER_RETRY",
            "Time between two attempts of a process that wants to lead.",
            kind="duration",
            least=0.1,
            most=600,
        ),
    )

    def __post_init__(self) -> None:
        if self.renew_s * 2 > self.ttl_s:
            raise ValueError("OUTRIDER_LEADER_RENEWAL must be at most half of OUTRIDER_LEADER_TTL")
