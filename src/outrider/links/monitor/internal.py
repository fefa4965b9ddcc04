"""Judge links within a site by what the site knows, without a request. Pure."""

from outrider.links.monitor.model import LinkState, PathAnswer, PathState, StoredLinkStatus
from outrider.links.reason import LinkReason

_DEAD = {
    PathState.ITEM_MISSING: LinkReason.ITEM_MISSING,
    PathState.ITEM_HIDDEN: LinkReason.ITEM_HIDDEN,
    PathState.COLLECTION_MISSING: LinkReason.COLLECTION_MISSING,
    PathState.NO_ROUTE: LinkReason.NO_ROUTE,
}


def fixed_state(reason: LinkReason) -> LinkState:
    """The state of a link that its spelling alone decides."""
    is_good = reason is LinkReason.EMAIL_FORMAT
    return LinkState(StoredLinkStatus.OK if is_good else StoredLinkStatus.DEAD, reason)


def internal_state(answer: PathAnswer | None) -> LinkState:
    """The state of a link to a path. A path that the site does not know has no route."""
    if answer is None:
        return LinkState(StoredLinkStatus.DEAD, LinkReason.NO_ROUTE)
    if answer.state is PathState.UNKNOWN:
        return LinkState(StoredLinkStatus.UNCHECKED)
    if answer.state is PathState.LIVE:
        return LinkState(StoredLinkStatus.OK, LinkReason.LIVE_PATH)
    if answer.state is PathState.MOVED:
        return LinkState(StoredLinkStatus.MOVED, LinkReason.ITEM_RENAMED, moved_to=answer.moved_to)
    return LinkState(StoredLinkStatus.DEAD, _DEAD[answer.state])
