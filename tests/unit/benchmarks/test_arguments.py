"""What `make bench` is asked for is checked before anything is measured."""

import pytest
from benchmarks.__main__ import arguments


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        (["nonsense"], "invalid choice: 'nonsense'"),
        (["--rounds", "0"], "invalid rounds value: '0'"),
        (["--sizes", "5x"], "invalid sizes value: '5x'"),
        (["--sizes", "10k,"], "invalid sizes value: '10k,'"),
        (["--sizes", "10k,0"], "invalid sizes value: '10k,0'"),
        (["--corpus", "/nowhere/pages"], "/nowhere/pages is no folder"),
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
