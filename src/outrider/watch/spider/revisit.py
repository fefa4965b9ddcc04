"""When to look again at a page that lists others: the sooner, the more often it had something new. Pure."""

LONGEST_S = 7 * 86_400.0
DEEPER = 4.0  # a list one link further from the front page is looked at so much less often, to begin with
FASTER, SLOWER = 0.5, 1.5


def first_interval(depth: int, poll_s: float) -> float:
    """How often to begin with: the front page as often as the source's feeds would be polled."""
    return min(poll_s * DEEPER ** min(depth, 10), LONGEST_S)


def next_interval(interval_s: float, new_links: int, poll_s: float) -> float:
    """How often from now on, after a visit that found so many links nobody knew; never below `poll_s`."""
    wanted = interval_s * (FASTER if new_links else SLOWER)
    return max(min(wanted, LONGEST_S), min(poll_s, LONGEST_S))
