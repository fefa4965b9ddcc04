"""What `make bench` is asked for is checked before anything is measured."""

import pytest
from benchmarks.__main__ import arguments


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        (["nonsense"], "invalid choice: 'nonsense'"),
        (["--rounds", "0"], "rounds are a number from 1 up, not '0'"),
        (["--rounds", "two"], "rounds are a number from 1 up, not 'two'"),
        (["--sizes", "5x"], "sizes are numbers from 1 up, as in 500,10k,1m; not '5x'"),
        (["--sizes", "10k,"], "as in 500,10k,1m; not '10k,'"),
        (["--sizes", "10k,0"], "as in 500,10k,1m; not '10k,0'"),
        (["--pages", "10k,20k"], "one number, as in 50k; not '10k,20k'"),
        (["--corpus", "/nowhere/pages"], "/nowhere/pages is no folder"),
        (["--against", "/nowhere/before"], "/nowhere/before is no folder"),
        (["--against", "/"], "/ is no checkout with a .venv: run `make setup` there"),
        (["--json", "/nowhere/figures.json"], "/nowhere is no folder"),
    ],
    ids=lambda case: " ".join(case) if isinstance(case, list) else "",
)
def test_what_cannot_be_measured_is_wrong_usage(
    asked: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        arguments().parse_args(asked)

    assert says in capsys.readouterr().err
