"""When to look again at a page that lists others: the sooner, the more often it had something new. Pure."""

LONGEST_S = 7 * 86_400.0
DEEPER = 4.0  # a list one link further from the front page is looked at so much less often, to begin with
FASTER, SLOWER = 0.5, 1.5
REDIRECT_S = 86_400.0  # a redirect is believed on a later day
REDIRECT_TRIES = 3  # after which nobody expects the page back soon


def first_interval(depth: int, poll_s: float) -> float:
    """How often to begin with: the front page as often as the source's feeds would be polled."""
    return min(poll_s * DEEPER ** min(depth, 10), LONGEST_S)


def next_interval(interval_s: float, new_links: int, poll_s: float) -> float:
    """How often from now on, after a visit that found so many links nobody knew; never below `poll_s`."""
    wanted = interval_s * (FASTER if new_links else SLOWER)
    return max(min(wanted, LONGEST_S), min(poll_s, LONGEST_S))


def after_redirect(usual_s: float | None, times: int) -> float | None:
    """When to ask again for a page that redirects for now; `usual_s` is when it would be asked anyway.

    The next day at the latest, to see whether it is over; after a few days only when it is usual. None: not
    at all.
    """
    if times > REDIRECT_TRIES:
        return usual_s
    return REDIRECT_S if usual_s is None else min(usual_s, REDIRECT_S)
