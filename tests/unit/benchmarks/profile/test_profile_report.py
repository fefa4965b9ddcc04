"""What the profile makes of samples, and what becomes of the bench where none can be taken."""

from collections import Counter

import pytest
import structlog
from benchmarks import __main__ as bench
from benchmarks.profile.connections import CONNECTIONS, OTHERS
from benchmarks.profile.report import costs_of, steps_of
from benchmarks.profile.sampler import CannotSample, folded
from benchmarks.profile.steps import Step
from benchmarks.report import Report

CLAIM, FLUSH = CONNECTIONS.values()
CPU_MS = {"workers": 0.6, CLAIM: 0.01, FLUSH: 0.1, OTHERS: 0.02, "command": 0.005}


def test_samples_of_a_stack_are_added_up_by_step():
    stacks = folded(
        "a (outrider/fetch/client.py:1);b (outrider/fetch/pool.py:2) 3\n"
        "a (outrider/fetch/client.py:9) 2\n"
        "pack (outrider/documents/packing.py:21) 4\n"
        "Thread._bootstrap (threading.py:1002) 70\n"
    )

    assert steps_of(stacks) == {Step.FETCH: 5, Step.PACK: 4}


def test_a_workers_cpu_is_dealt_out_by_samples_and_the_others_keep_theirs():
    costs = {cost.step: cost for cost in costs_of(Counter({Step.FETCH: 3, Step.PACK: 1}), CPU_MS)}

    assert (costs[Step.FETCH].share, costs[Step.FETCH].us) == (0.75, pytest.approx(450))
    assert (costs[Step.PACK].share, costs[Step.PACK].us) == (0.25, pytest.approx(150))
    assert (costs[Step.PARSE].share, costs[Step.PARSE].us) == (0, 0)
    assert (costs[FLUSH].share, costs[FLUSH].us) == (None, pytest.approx(100))
    assert costs["all"].us == pytest.approx(735)


@pytest.fixture
def forbidden(monkeypatch):
    """A machine on which nobody may look into processes."""

    def profile():
        raise CannotSample("not allowed here: run it as root")

    urls = Report("urls", "URLs", ("", "µs"), [("Outrider", "3.5")])
    monkeypatch.setattr(bench, "ALL", ("profile", "urls"))
    monkeypatch.setattr(bench, "choices", lambda asked, say: {"profile": profile, "urls": lambda: urls})
    monkeypatch.setattr(structlog, "configure", lambda **_: None)


@pytest.mark.usefixtures("forbidden")
def test_the_benchmark_continues_without_the_right_to_profile(tmp_path, capsys):
    bench.run(bench.arguments().parse_args(["all", "--json", str(tmp_path / "figures.json")]))

    said = capsys.readouterr().out
    assert "no profile: not allowed here: run it as root" in said
    assert "Outrider" in said


@pytest.mark.usefixtures("forbidden")
def test_a_run_for_the_profile_alone_says_why_there_is_none(tmp_path):
    with pytest.raises(SystemExit, match="benchmarks: not allowed here: run it as root"):
        bench.run(bench.arguments().parse_args(["profile", "--json", str(tmp_path / "figures.json")]))
