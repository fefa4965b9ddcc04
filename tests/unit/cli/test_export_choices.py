"""What the options of `outrider export` mean."""

from pathlib import Path

import pytest

from outrider.cli.export import format_of
from outrider.documents.formats import Format


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
