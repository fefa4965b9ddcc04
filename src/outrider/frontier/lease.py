"""The lease of a host: the host's state, its URLs, and when the lease ends."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from outrider.frontier.model import Entry
from outrider.hosts.model import HostState

DEFAULT_DELAY_MS = HostState().delay_ms  # as the column has it
MARGIN_S = 1.0  # that a lease outlasts a request: clocks and schedulers are not on time


@dataclass(slots=True)
class Lease:
    """The right to send requests to one host, until `expires` on this process's monotonic clock.

    `expires` is counted from before the claim was sent, so it is always earlier than the moment at which
    another worker can claim the host.
    """

    host_id: int
    host: str
    seq: int
    expires: float
    state: HostState
    probation: int
    relapsed: bool
    crash_count: int
    in_progress: str | None
    was_lost: bool  # its worker died or the clock jumped: a request may just have ended
    asked_delay_ms: int | None = None
    pages: int = 0
    entries: Sequence[Entry] = field(default_factory=tuple)

    @property
    def stored_delay_ms(self) -> int:
        """The delay that is known of the host; 0 if it was never leased and has the default of the column."""
        is_default = self.seq == 1 and self.state.delay_ms == DEFAULT_DELAY_MS
        return 0 if is_default else self.state.delay_ms

    def leaves_time_for(self, seconds: float, now: float) -> bool:
        """Whether work of up to `seconds` certainly ends before the lease does."""
        return now + seconds < self.expires


@dataclass(frozen=True, slots=True)
class Release:
    """A released host: its new state, and how long no worker may ask it."""

    lease: Lease
    state: HostState
    wait_s: float


@dataclass(frozen=True, slots=True)
class NotFree:
    """Why a host cannot be leased now."""

    is_blocked: bool = False  # by an operator
    rests_s: float = 0.0  # seconds until it may be asked again
    held_by: str | None = None  # the worker or command that holds the lease

    def sentence(self, host: str) -> str:
        """The reason as a sentence for people."""
        if self.is_blocked:
            return f"{host} is blocked: `outrider hosts {host}` says why, --unblock lifts it"
        if self.held_by is not None:
            return f"{host} is being asked by {self.held_by}: try again in a moment"
        return (
            f"{host} has to rest for another {max(self.rests_s, 0.1):.1f} s: `outrider hosts {host}` says why"
        )
