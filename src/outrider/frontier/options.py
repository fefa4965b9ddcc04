"""Settings of the frontier."""

from dataclasses import dataclass, field

from outrider.options import setting


@dataclass(frozen=True, slots=True)
class FrontierOptions:
    """How hosts are leased."""

    lease_s: float = field(
        default=90.0,
        metadata=setting(
            "OUTRIDER_LEASE",
            "How long a worker holds a host without renewing; a crashed worker's hosts are free after this.",
            alias=("FETCHER_STALE_TIMEOUT",),
            kind="duration",
            least=2,
            most=3600,
        ),
    )
    hosts_per_claim: int = field(
        default=16,
        metadata=setting("OUTRIDER_HOSTS_PER_CLAIM", "Most hosts taken in one claim.", least=1, most=256),
    )
    urls_per_host: int = field(
        default=24,
        metadata=setting(
            "OUTRIDER_URLS_PER_HOST", "Most URLs handed out with one lease of a host.", least=1, most=200
        ),
    )
    crash_limit: int = field(
        default=5,
        metadata=setting(
            "OUTRIDER_BLAME_LIMIT",
            "A URL fetched alone that takes its worker down this often is parked as poison.",
            least=1,
            most=100,
        ),
    )
