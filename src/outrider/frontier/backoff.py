"""When a failed request is tried again.

There are two kinds of retries. A broken connection is tried again within seconds, in the same lease
and at the host's delay (RTY-02, CON-15). A page that failed is queued again for minutes later, and
every further failure doubles that time (RTY-09). The caller draws `jitter` from 0..1, so that these
functions are pure.
"""

from datetime import timedelta

FIRST_RETRY = timedelta(minutes=1)
LONGEST_RETRY = timedelta(hours=24)
JITTER = timedelta(milliseconds=500)
TRANSPORT_WAITS = (timedelta(seconds=1), timedelta(seconds=2), timedelta(seconds=4))
ROBOTS_WAITS = (timedelta(seconds=2), timedelta(seconds=4))

_DOUBLINGS = 11  # 2**11 minutes is past the cap; more would only overflow


def retry_in(attempts: int, retry_after: timedelta | None, jitter: float) -> timedelta:
    """How long a URL that has failed `attempts` times waits before it is due again.

    A Retry-After can make the wait longer but not shorter, and no wait is longer than a day.
    """
    backoff = FIRST_RETRY * (1 << min(max(attempts - 1, 0), _DOUBLINGS)) + JITTER * jitter
    wait = backoff if retry_after is None else max(backoff, retry_after)
    return min(wait, LONGEST_RETRY)


def transport_wait(try_no: int, jitter: float) -> timedelta:
    """How long to wait after the `try_no`-th broken connection (1, 2, 3 …) of one visit."""
    return _nth(TRANSPORT_WAITS, try_no) + JITTER * jitter


def robots_wait(try_no: int) -> timedelta:
    """The same for robots.txt, which gets two more tries (RTY-03)."""
    return _nth(ROBOTS_WAITS, try_no)


def _nth(waits: tuple[timedelta, ...], try_no: int) -> timedelta:
    return waits[min(max(try_no, 1), len(waits)) - 1]
