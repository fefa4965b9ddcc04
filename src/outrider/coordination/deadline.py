"""Until when a process may believe that it holds a lock. Pure.

The server counts the lifetime from the moment when the request arrives, which is never before the moment when
it was sent. So the holder counts from the sending, and takes off what the two clocks may differ in speed.
"""

DRIFT = 0.01  # of the lifetime
DRIFT_FLOOR_S = 0.002


def valid_until(asked_at: float, ttl_s: float) -> float:
    """The moment, on the clock of `asked_at`, at which a lock that was asked for then counts as lost."""
    return asked_at + ttl_s * (1 - DRIFT) - DRIFT_FLOOR_S
