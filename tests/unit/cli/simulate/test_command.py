"""`outrider simulate` as a check in somebody's script."""

from typing import Any

import pytest
from typer.testing import CliRunner

from outrider.cli.main import app
from outrider.simulate.plan import SimulationPlan


@pytest.mark.parametrize(("is_polite", "exit_code"), [(True, 0), (False, 1)])
def test_rudeness_is_the_exit_code(monkeypatch: pytest.MonkeyPatch, is_polite: bool, exit_code: int) -> None:
    def simulated(*asked: Any, **options: Any) -> bool:
        return is_polite

    monkeypatch.setattr("outrider.cli.simulate.run.simulate_and_report", simulated)

    assert CliRunner().invoke(app, ["simulate"]).exit_code == exit_code


@pytest.mark.parametrize(("options", "has_jobs"), [([], False), (["--jobs"], True)])
def test_jobs_are_simulated_on_request(
    monkeypatch: pytest.MonkeyPatch, options: list[str], has_jobs: bool
) -> None:
    plans: list[SimulationPlan] = []

    def simulated(choices: Any, plan: SimulationPlan, **rest: Any) -> bool:
        plans.append(plan)
        return True

    monkeypatch.setattr("outrider.cli.simulate.run.simulate_and_report", simulated)
    CliRunner().invoke(app, ["simulate", *options])

    assert [plan.has_jobs for plan in plans] == [has_jobs]
