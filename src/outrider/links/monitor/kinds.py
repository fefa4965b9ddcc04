"""What a content field is, and when its links are checked (DLM-07, DLM-18). Pure."""

import re
from enum import StrEnum

from outrider.links.monitor.model import LinkKind, LinkType


class CheckMoment(StrEnum):
    """When a link is checked."""

    SAVE = "save"  # its field is saved; for `synced` that is after each sync
    ITEM_CHANGE = "item_change"  # the page that it leads to is renamed, deleted, hidden or shown
    WEEKLY = "weekly"
    FORMAT = "format"  # only its spelling is looked at, when its field is saved


_INTERNAL = frozenset({CheckMoment.SAVE, CheckMoment.ITEM_CHANGE})
_EXTERNAL = frozenset({CheckMoment.SAVE, CheckMoment.WEEKLY})

# The first pattern that matches the name of a field wins. `settings.footer_link_1` is a footer.
_BY_NAME = tuple(
    (re.compile(pattern, re.IGNORECASE), kind)
    for pattern, kind in (
        (r"(?:settings\.)?(?:[a-z0-9_-]+[._-])?e?-?mail(?:$|[._:-])", LinkKind.EMAIL),
        (r"(?:settings\.)?(?:nav|menu|header)(?:$|[._:/-])", LinkKind.NAV),
        (r"(?:settings\.)?footer(?:$|[._:/-])", LinkKind.FOOTER),
        (r"(?:settings\.)?social(?:$|[._:/-])", LinkKind.SOCIAL),
        (r"(?:settings\.)?(?:banner|announcement)(?:$|[._:/-])", LinkKind.BANNER),
        (r"(?:sync|synced|description)(?:$|[._:/-])", LinkKind.SYNCED),
        (r"(?:page|post|article|rich_text):", LinkKind.RICH_TEXT),
    )
)


def kind_of(source_key: str, given: LinkKind | None = None) -> LinkKind:
    """The kind that was given, else the one that the name of the field begins with."""
    if given is not None:
        return given
    for pattern, kind in _BY_NAME:
        if pattern.match(source_key):
            return kind
    return LinkKind.OTHER


def check_moments(kind: LinkKind, link_type: LinkType) -> frozenset[CheckMoment]:
    """When a link is checked. Links within the site have no timer, and external ones have no item."""
    if kind is LinkKind.EMAIL:
        return frozenset({CheckMoment.FORMAT})
    return _INTERNAL if link_type is LinkType.INTERNAL else _EXTERNAL
