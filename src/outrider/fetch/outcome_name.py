"""The name of every request outcome, as the request history, the counters and the logs store it."""

from outrider.described import DescribedName
from outrider.fetch.outcome import (
    Failed,
    Failure,
    Fetched,
    NotModified,
    Outcome,
    Redirected,
    Refusal,
    Refused,
    Rejected,
)


class OutcomeName(DescribedName):
    """Outcomes with a response. A request without a response has the name of its failure or refusal."""

    FETCHED = "fetched", "the server sent the whole page"
    NOT_MODIFIED = "not_modified", "the page has not changed since the last fetch (304)"
    REDIRECTED = "redirected", "the server names another address; the history adds ` to ` and that address"
    REJECTED = "rejected", "the server answered with an error status"


OUTCOME_NAMES: tuple[DescribedName, ...] = (*OutcomeName, *Failure, *Refusal)


def name_of(outcome: Outcome) -> OutcomeName | Failure | Refusal:
    """The stored name of an outcome."""
    match outcome:
        case Fetched():
            return OutcomeName.FETCHED
        case NotModified():
            return OutcomeName.NOT_MODIFIED
        case Redirected():
            return OutcomeName.REDIRECTED
        case Rejected():
            return OutcomeName.REJECTED
        case Failed(failure=failure):
            return failure
        case Refused(refusal=refusal):
            return refusal
