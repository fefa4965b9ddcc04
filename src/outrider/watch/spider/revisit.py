"""The visit interval of a listing: shorter if visits find new links, longer if not. Pure."""

LONGEST_S = 7 * 86_400.0
DEEPER = 4.0  # each link away from the front page multiplies the first interval by this
FASTER, SLOWER = 0.5, 1.5
REDIRECT_S = 86_400.0  # a page that redirects is visited again after this time
REDIRECT_TRIES = 3  # further redirects count as lasting


def first_interval(depth: int, poll_s: float) -> float:
    """The first interval. The front page is visited as often as a feed is polled."""
    return min(poll_s * DEEPER ** min(depth, 10), LONGEST_S)


def next_interval(interval_s: float, new_links: int, poll_s: float) -> float:
    """The next interval after a visit that found `new_links` new links; at least `poll_s`."""
    wanted = interval_s * (FASTER if new_links else SLOWER)
    return max(min(wanted, LONGEST_S), min(poll_s, LONGEST_S))


def after_redirect(usual_s: float | None, times: int) -> float | None:
    """The wait before the next visit of a page that redirects temporarily; None: no visit.

    `usual_s` is the wait without a redirect. The first redirects cap the wait at one day.
    """
    if times > REDIRECT_TRIES:
        return usual_s
    return REDIRECT_S if usual_s is None else min(usual_s, REDIRECT_S)
