"""Sources for tests that need no database."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from outrider.sources.model import Mode, RenderMode, Source
from outrider.sources.policy import Policy

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def watched(**changes: Any) -> Source:
    """A source in mode feed, unless `changes` say otherwise."""
    facts: dict[str, Any] = {
        "source_id": 7,
        "public_id": UUID(int=7),
        "name": "Das Blatt",
        "url": "https://blatt.test/",
        "mode": Mode.FEED,
        "priority": 5,
        "policy": Policy(),
        "selectors": None,
        "template": None,
        "labels": [],
        "render_mode": RenderMode.STATIC,
        "identity_key": None,
        "allow_source_discovery": True,
        "enabled": True,
        "held": False,
        "disabled_at": None,
        "disable_reason": None,
        "searched_at": None,
        "search_errors": 0,
        "search_notes": [],
        "created_at": NOON,
        "updated_at": NOON,
    }
    return Source(**facts | changes)
