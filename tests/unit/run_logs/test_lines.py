"""Lines, positions, throttles and milestones: what they bound and what they say."""

import json
from datetime import UTC, datetime
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from outrider.errors import InvalidInput
from outrider.run_logs.model import (
    LARGEST_FIELDS,
    LineLevel,
    LogCategory,
    LogLine,
    RunNames,
    clean,
    encode_fields,
)
from outrider.run_logs.options import RunLogOptions, Verbosity
from outrider.run_logs.position import LogPosition
from outrider.run_logs.progress import milestone_of, progress_fields
from outrider.run_logs.throttle import MOST_KINDS, Throttle

NAMES = RunNames(UUID(int=1), UUID(int=2), 7, 3)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=8) | st.dictionaries(st.text(), inner, max_size=8),
    max_leaves=12,
)


def test_a_position_is_read_as_it_is_written():
    assert LogPosition.parse(str(LogPosition(17, 1200))) == LogPosition(17, 1200)


@pytest.mark.parametrize(
    "text", ["", "17", "17-", "-1", "a-b", "17-1-2", "99999999999-1", "17-2147483648", "١-٢"]
)
def test_other_texts_are_no_positions(text):
    with pytest.raises(InvalidInput, match="is not a position in the log of a run"):
        LogPosition.parse(text)


@given(st.text())
def test_clean_text_is_bounded_and_stays_on_its_line(text):
    cleaned = clean(text, 50)

    assert len(cleaned) <= 50
    assert len(cleaned.splitlines()) <= 1
    assert "\x1b" not in cleaned
    cleaned.encode()


@settings(max_examples=40)
@given(st.dictionaries(st.text(), JSON, max_size=8))
def test_fields_of_any_kind_become_bounded_json(fields):
    text = encode_fields(fields)

    assert isinstance(json.loads(text), dict)
    assert len(text) <= LARGEST_FIELDS + 2_000
    assert "\\u0000" not in text


def test_fields_that_are_too_large_say_that_something_is_missing():
    encoded = json.loads(encode_fields({"pages": 3} | {f"url{n}": "x" * 900 for n in range(10)}))

    assert encoded == {"pages": 3, "truncated": True}


def test_a_line_has_the_fields_of_the_requirement_and_reads_back():
    line = LogLine(
        LogPosition(4, 9), datetime.now(UTC), LineLevel.WARN, LogCategory.RATE_LIMIT, "slow", {"a": [1]}
    )
    said = line.as_json(NAMES)

    assert said["schema_version"] == 1
    assert (said["job_id"], said["execution_id"]) == (str(UUID(int=2)), str(UUID(int=1)))
    assert (said["level"], said["category"], said["message"]) == ("warn", "rate_limit", "slow")
    assert LogLine.from_json(json.loads(json.dumps(said))) == line


def test_a_crawl_command_without_a_job_is_named_by_its_source():
    assert RunNames(UUID(int=1), None, 7, 3).log_name == "crawl-7"


def test_a_throttle_lets_the_first_lines_of_each_window_pass():
    throttle = Throttle(per_window=2, window_s=60)

    assert [throttle.allows("a", 0.0) for _ in range(3)] == [True, True, False]
    assert throttle.allows("b", 1.0)
    assert not throttle.allows("a", 59.9)
    assert throttle.allows("a", 60.0)


def test_a_throttle_distinguishes_a_bounded_number_of_kinds():
    throttle = Throttle()

    assert all(throttle.allows(f"{number}", 0.0) for number in range(MOST_KINDS))
    assert not throttle.allows("one more", 0.0)


def test_a_milestone_is_the_last_multiple_that_was_passed():
    assert [milestone_of(pages, 50) for pages in (0, 49, 50, 149)] == [0, 0, 50, 100]


def test_progress_names_what_waits():
    fields = progress_fields({"added": 10, "settled": 4, "pages": 3, "dead.robots_blocked": 1})

    assert (fields["waiting"], fields["pages"], fields["robots_refused"]) == (6, 3, 1)


def test_a_detailed_verbosity_includes_the_level_debug():
    assert RunLogOptions().shown_level is LineLevel.INFO
    assert RunLogOptions(verbosity=Verbosity.DEBUG).shown_level is LineLevel.DEBUG
    assert LineLevel.WARN.and_above == ["warn", "error"]


def test_the_defaults_are_those_of_the_requirement():
    options = RunLogOptions()

    assert (options.enabled, options.level, options.verbosity) == (True, "info", "normal")
    assert (options.buffer, options.milestone, options.progress_s) == (1_000, 50, 15.0)
    assert (options.most_lines, options.kept_days) == (50_000, 30)
