"""An error of ours is one sentence; its traceback is shown to people who ask for it."""

import pytest

from outrider.cli.main import _trace


@pytest.mark.parametrize(
    ("level", "is_shown"), [("debug", True), ("DEBUG", True), ("info", False), ("", False)]
)
def test_a_traceback_is_shown_at_the_level_debug(monkeypatch, capsys, level, is_shown):
    monkeypatch.setenv("OUTRIDER_LOG_LEVEL", level)

    _trace(ValueError("unforeseen"))

    assert ("ValueError: unforeseen" in capsys.readouterr().err) is is_shown
