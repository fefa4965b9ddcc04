"""`outrider simulate` as a check in somebody's script."""

from typing import Any

import pytest
from typer.testing import CliRunner

from outrider.cli.main import app


@pytest.mark.parametrize(("is_polite", "exit_code"), [(True, 0), (False, 1)])
def test_rudeness_is_the_exit_code(monkeypatch: pytest.MonkeyPatch, is_polite: bool, exit_code: int) -> None:
    def simulated(*asked: Any, **options: Any) -> bool:
        return is_polite

    monkeypatch.setattr("outrider.cli.simulate.run.simulate_and_tell", simulated)

    assert CliRunner().invoke(app, ["simulate"]).exit_code == exit_code
