"""What a run is asked for is checked before it begins."""

from pathlib import Path

import pytest
from chaos import arguments as checked
from chaos.arguments import arguments
from chaos.faults import Fault


@pytest.mark.parametrize(
    ("written", "complaint"),
    [
        (["--minutes", "0"], "minutes are a number above 0, up to 10080; not '0'"),
        (["--minutes", "-1"], "not '-1'"),
        (["--minutes", "nan"], "not 'nan'"),
        (["--minutes", "inf"], "not 'inf'"),
        (["--minutes", "x"], "not 'x'"),
        (["--only", "pages"], 'no "pages"; there is: "kill a worker", '),
        (["fuzz", "--only", "fill the disk"], 'no "fill the disk"; there is: "urls", '),
        (["--docs", "--only", "a watch"], "--docs goes without --only"),
        (["--json", "/no/such/folder/x"], "/no/such/folder is no folder"),
        (["fuzz", "--json", "/"], "/ is a folder"),
    ],
)
def test_what_would_try_nothing_or_something_else_is_wrong_usage(
    written: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        arguments(written)

    assert complaint in capsys.readouterr().err


def test_a_fault_that_this_machine_cannot_have_is_refused_with_the_reason(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    impossible = Fault("set the clock back", lambda stage: 0, why_not=lambda: "no compiler")
    monkeypatch.setattr(checked, "FAULTS", {impossible.name: impossible})

    with pytest.raises(SystemExit, match="2"):
        arguments(["--only", "set the clock back"])

    assert "cannot set the clock back here: no compiler" in capsys.readouterr().err


def test_what_is_asked_for_is_taken(tmp_path: Path) -> None:
    file = tmp_path / "figures.json"

    asked = arguments(["fuzz", "--only", "dates", "--only", "urls", "--seed", "7", "--json", str(file)])

    assert (asked.what, asked.only, asked.seed, asked.json) == ("fuzz", ["dates", "urls"], 7, file)
    assert asked.minutes == 5.0
