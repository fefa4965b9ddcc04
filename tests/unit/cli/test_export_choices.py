"""What the options of `outrider export` mean."""

import os
from pathlib import Path

import pytest
from tests.support.full_disk import FULL

from outrider.cli.export import format_of, opened
from outrider.documents.formats import Format
from outrider.errors import Misconfigured


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


def test_a_link_to_a_file_stays_a_link(tmp_path: Path):
    link, file = tmp_path / "link.jsonl", tmp_path / "file.jsonl"
    file.write_bytes(b"before")
    link.symlink_to(file)

    with opened(link) as out:
        out.write(b"after")

    assert link.is_symlink()
    assert file.read_bytes() == b"after"


def test_a_pipe_is_written_to_and_never_replaced_by_a_file(tmp_path: Path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)

    with opened(pipe) as out:
        out.write(b"rows")

    assert os.read(reading, 10) == b"rows"
    assert pipe.is_fifo()
    os.close(reading)


def test_a_file_on_a_full_disk_is_one_sentence(tmp_path: Path):
    full = tmp_path / "full"
    full.symlink_to(FULL)

    with (
        pytest.raises(Misconfigured, match="cannot be written: No space left on device"),
        opened(full) as out,
    ):
        out.write(b"rows")
