"""What a run may be asked for."""

from pathlib import Path

import pytest
from mutants.arguments import arguments


def test_what_is_asked_for_is_taken(tmp_path: Path):
    file = tmp_path / "results.json"

    asked = arguments(
        ["--only", "hosts", "--only", "CLM-01", "--sample", "3", "--seed", "7", "--json", str(file)]
    )

    assert (asked.only, asked.sample, asked.seed, asked.json) == (["hosts", "CLM-01"], 3, 7, file)
    assert asked.jobs == 2


@pytest.mark.parametrize(
    "written",
    [["--jobs", "0"], ["--jobs", "65"], ["--jobs", "two"], ["--sample", "-1"], ["--json", "/nowhere/at/all"]],
)
def test_nonsense_is_refused_before_anything_begins(written: list[str]):
    with pytest.raises(SystemExit, match="2"):
        arguments(written)
