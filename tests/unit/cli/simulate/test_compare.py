"""Two policies side by side: what changes, what does not, and what may be chance."""

from dataclasses import replace

import pytest
from tests.support.simulated import REPORT, planned, rude, text_of

from outrider.cli.simulate.compare import compared, gathered
from outrider.simulate.knowledge import Coverage
from outrider.simulate.report import Report


def with_requests(requests: int, seed: int = 1) -> Report:
    politeness = replace(REPORT.politeness, requests=requests)
    return planned(replace(REPORT, politeness=politeness), seed=seed)


def with_known(share: float) -> Report:
    return replace(REPORT, new_articles=Coverage(10, 9, 9, share, share))


def row_of(told: str, name: str) -> list[str]:
    [line] = [line for line in told.splitlines() if line.strip().startswith(f"{name}  ")]
    return [cell.strip() for cell in line.strip().removeprefix(name).split("  ") if cell.strip()]


@pytest.mark.parametrize(
    ("before", "after", "line", "expected"),
    [
        pytest.param(REPORT, REPORT, "requests", ["1", "1", "0 %"], id="nothing changes"),
        pytest.param(
            with_requests(100), with_requests(270), "requests", ["100", "270", "+170 %"], id="more than twice"
        ),
        pytest.param(
            with_requests(10_000),
            with_requests(9_999),
            "requests",
            ["10,000", "9,999", "0 %"],
            id="hardly less",
        ),
        pytest.param(rude(), REPORT, "violations", ["2", "0", "-2"], id="all violations gone"),
        pytest.param(REPORT, rude(), "violations", ["0", "2", "+2"], id="violations where none were"),
        pytest.param(
            with_known(0.9),
            with_known(0.925),
            "new articles known",
            ["90.0 %", "92.5 %", "+2.5 points"],
            id="a share",
        ),
        pytest.param(
            with_known(0.9),
            with_known(0.89999),
            "new articles known",
            ["90.0 %", "90.0 %", "0 points"],
            id="hardly less of a share",
        ),
        pytest.param(REPORT, REPORT, "seen after, median", ["-", "-", "-"], id="nothing to measure"),
    ],
)
def test_two_reports_are_compared_line_by_line(before: Report, after: Report, line: str, expected: list[str]):
    assert row_of(text_of(compared([before], [after], {"delay": "2s"})), line) == expected


def test_it_says_what_was_compared():
    told = text_of(compared([REPORT], [REPORT], {"delay": "2s"}))

    assert "3 sites for 1 day, seed 1" in told
    assert "feeds every 4h" in told
    assert "delay=2s" in told


def test_a_change_that_changes_nothing_is_remarked_on():
    changed = planned(REPORT, settings={"contact": "me"})

    assert "There is no difference" in text_of(compared([REPORT], [changed], {"contact": "me"}))
    assert "Nothing at all" not in text_of(compared([REPORT], [with_requests(2)], {"poll": "2h"}))


def test_several_seeds_show_how_far_a_change_depends_on_the_web():
    befores = [with_requests(100), with_requests(200, seed=2)]
    afters = [with_requests(110), with_requests(198, seed=2)]
    told = text_of(compared(befores, afters, {"poll": "2h"}))

    assert "seeds 1 to 2" in told
    assert row_of(told, "requests") == ["100 to 200", "110 to 198", "-1 to +10 %"]


def test_one_policy_on_several_webs_has_a_middle_and_ends():
    told = text_of(gathered([with_requests(300), with_requests(100, seed=2), with_requests(150, seed=3)]))

    assert "seeds 1 to 3" in told
    assert row_of(told, "requests") == ["150", "100", "300"]
    assert row_of(told, "seen after, median") == ["-", "-", "-"]


def test_a_violation_is_reported_with_the_policy_and_the_seed():
    told = text_of(compared([REPORT], [rude(permitted=2)], {"retry_after_cap": "5s"}))

    assert "Changed, seed 1: 2 violations" in told
    assert "as your retry_after_cap allows" in told
    assert "As it was, seed" not in told


def test_many_changes_fit_a_narrow_terminal():
    changes = {"poll": "30m", "revisit": "1d", "sitemap_poll": "6h", "mode": "both", "delay": "2s"}
    told = text_of(compared([REPORT], [REPORT], changes), width=80).splitlines()
    first = [line.strip() for line in told].index("poll=30m,")

    assert [line.strip() for line in told[first + 1 : first + 4]] == [
        "revisit=1d,",
        "sitemap_poll=6h,",
        "mode=both,",
    ]
    assert told[first + 4].split() == ["as", "it", "was", "delay=2s", "change"]
    assert any(line.lstrip().startswith("asked of a dead site a day ") for line in told)
    assert max(map(len, told)) <= 80
