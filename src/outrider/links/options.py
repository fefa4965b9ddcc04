"""Settings of link checks."""

from dataclasses import dataclass, field
from datetime import timedelta

from outrider.options import setting


@dataclass(frozen=True, slots=True)
class LinkOptions:
    """Link checks: timeouts, sizes, and how often links are checked."""

    timeout_s: float = field(
        default=10.0,
        metadata=setting(
            "OUTRIDER_LINK_TIMEOUT",
            "Total time for one request of a link check.",
            kind="duration",
            least=0.1,
            most=300,
        ),
    )
    hosts_at_once: int = field(
        default=32,
        metadata=setting(
            "OUTRIDER_LINK_HOSTS",
            "Hosts that a link check asks at the same time; each gets one request at a time.",
            least=1,
            most=1_000,
        ),
    )
    patience_s: float = field(
        default=30.0,
        metadata=setting(
            "OUTRIDER_LINK_PATIENCE",
            "A link check waits this long for a host that asks for a rest; after a longer one it goes on.",
            kind="duration",
            least=0,
            most=3_600,
        ),
    )
    max_redirects: int = 10  # browsers follow 20
    page_bytes: int = 128 * 1024  # of a page that is compared
    fragment_bytes: int = 4 * 1024 * 1024  # of a page whose fragments are looked for
    error_bytes: int = 32 * 1024
    cache_age: timedelta = timedelta(days=1)
