"""The catalogue of poll results, counted as `polls.RESULT`. A failed poll counts by its `PollError`."""

from outrider.described import DescribedName
from outrider.frontier.dead_reason import DeadReason


class PollResult(DescribedName):
    """The result of a poll that did not fail."""

    CHANGED = "changed", "it has new or changed entries"
    SAME = "same", "it was sent again, without new or changed entries"
    NOT_MODIFIED = "not_modified", "it has not changed since the last poll (304)"
    ROBOTS_BLOCKED = DeadReason.ROBOTS_BLOCKED.value, "robots.txt disallows it"
