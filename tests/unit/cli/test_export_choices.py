"""What the options of `outrider export` mean."""

from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from outrider.cli.export import format_of, time_of
from outrider.documents.formats import Format
from outrider.errors import InvalidInput

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("-", Format.JSONL),
        ("pages.jsonl", Format.JSONL),
        ("pages.CSV", Format.CSV),
        ("pages.parquet", Format.PARQUET),
        ("pages.txt", Format.JSONL),
    ],
)
def test_the_format_follows_the_name(name, form):
    assert format_of(Path(name)) is form


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("2026-04-30", datetime(2026, 4, 30, tzinfo=UTC)),
        ("2026-04-30T10:00:00+02:00", datetime(2026, 4, 30, 10, tzinfo=timezone(timedelta(hours=2)))),
        ("7d", NOON - timedelta(days=7)),
        ("90", NOON - timedelta(seconds=90)),
    ],
)
def test_since_is_a_time_or_an_age(text, at):
    assert time_of(text, NOON) == at


@pytest.mark.parametrize("text", ["yesterday", "", "7 fortnights", "999999999w"])
def test_since_cannot_be_anything_else(text):
    with pytest.raises(InvalidInput, match="neither a time"):
        time_of(text, NOON)
