"""How the dashboard says when something happened."""

from datetime import UTC, datetime, timedelta

import pytest

from outrider.web.dashboard.rendering import ago

NOON = datetime(2026, 11, 17, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("seconds", "told"),
    [(0.48, "just now"), (-0.48, "just now"), (1, "1 s ago"), (180, "3 minutes ago"), (-180, "in 3 minutes")],
)
def test_a_time_is_told_relative_to_now(seconds, told):
    assert f">{told}</time>" in ago(NOON - timedelta(seconds=seconds), NOON)


def test_what_never_happened_says_so():
    assert "never" in ago(None, NOON)
