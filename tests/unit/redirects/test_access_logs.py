"""Access logs in their formats, and hostile ones."""

import gzip
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outrider.cli.site import log
from outrider.errors import InvalidInput
from outrider.redirects import access_logs
from outrider.redirects.access_logs import LoggedVisit, read_line, read_log
from outrider.redirects.monitor import Miss

DAY = date(2026, 10, 10)
PERSON = b"Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0"


def line(path: str, status: int = 200, agent: bytes = PERSON, method: str = "GET") -> bytes:
    return (
        b"1.2.3.4 - - [10/Oct/2026:13:55:36 +0000] "
        + f'"{method} {path} HTTP/1.1" {status} 12 "https://b.test/" "'.encode()
        + agent
        + b'"\n'
    )


@pytest.mark.parametrize(
    ("text", "visit"),
    [
        (
            b'1.2.3.4 - - [10/Oct/2026:01:55:36 +0200] "GET /a?x=1 HTTP/1.1" 200 12',
            LoggedVisit(date(2026, 10, 9), "GET", "/a", 200),
        ),
        (
            line("/b", 404),
            LoggedVisit(DAY, "GET", "/b", 404, PERSON, "https://b.test/"),
        ),
        (
            b'::1 - a b [10/Oct/2026:13:55:36 +0000] "GET /q\\"uote HTTP/2" 200 - "-" "x \\"y\\""',
            LoggedVisit(DAY, "GET", '/q\\"uote', 200, b'x \\"y\\"'),
        ),
        (
            b'{"time": "2026-10-10T13:55:36Z", "method": "GET", "path": "/a?x=1", "status": 200,'
            b' "user_agent": "F"}',
            LoggedVisit(DAY, "GET", "/a", 200, b"F"),
        ),
        (
            b'{"ts": 1791640000.5, "request": "GET /b HTTP/1.1", "status": "404", "referer": "https://b.test/"}',
            LoggedVisit(DAY, "GET", "/b", 404, b"", "https://b.test/"),
        ),
    ],
)
def test_lines_of_every_format(text: bytes, visit: LoggedVisit):
    assert read_line(text) == visit


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"garbage",
        b"{",
        b"[" * 50_000,
        b'{"status": 200}',
        b'{"path": "/a", "status": 99999, "time": 5}',
        b'{"path": "/a", "status": 200, "time": 1e300}',
        b'1.2.3.4 - - [yesterday] "GET / HTTP/1.1" 200 1',
        b'1.2.3.4 - - [10/Oct/2026:13:55:36 +0000] "\x16\x03\x01" 400 0',
    ],
)
def test_other_lines_are_not_read(text: bytes):
    assert read_line(text) is None


def test_views_are_pages_that_people_saw_and_misses_are_what_is_gone_in_the_end():
    log = read_log(
        [
            line("/a"),
            line("/a"),
            line("/style.css"),
            line("/a", agent=b"Googlebot"),
            line("/a", method="POST"),
            line("/gone"),
            line("/gone", 404),
            line("/gone", 404),
            line("/back", 404),
            line("/back"),
            line("/cached", 304),
            line("/moved", 301),
            line("/failing", 500),
            b"garbage\n",
        ]
    )

    assert log.views == {("/a", DAY): 2, ("/gone", DAY): 1, ("/back", DAY): 1, ("/cached", DAY): 1}
    assert log.misses == {"/gone": Miss("/gone", 2, "https://b.test/")}
    assert (log.lines, log.unreadable) == (14, 1)


def test_a_hostile_log_stays_bounded(monkeypatch):
    monkeypatch.setattr(access_logs, "MOST_PATHS", 10)
    lines = [line(f"/{n}", status) for n in range(50) for status in (200, 404)]

    log = read_log([*lines, line("/" + "x" * 5_000), b"x" * 100_000])

    assert (len(log.views), len(log.misses), log.unreadable) == (10, 10, 1)
    assert log.dropped == 80


@given(st.binary(max_size=300))
def test_any_bytes_are_read_without_an_error(text: bytes):
    read_log([text, b"{" + text, b'1.2.3.4 - - [10/Oct/2026:13:55:36 +0000] "GET ' + text])


def hostile_logs() -> dict[str, bytes]:
    packed = gzip.compress(line("/a") * 2_000)
    return {
        "broken": packed[:40] + b"\xff" * 40 + packed[80:],
        "truncated": packed[:-20],
        "no gzip": b"\x1f\x8b and then text",
        "bomb": gzip.compress(b"\0" * 2_000_000),
    }


@pytest.mark.parametrize("name", hostile_logs())
def test_a_hostile_packed_log_is_refused_with_a_sentence(tmp_path: Path, monkeypatch, name: str):
    monkeypatch.setattr(log, "LARGEST_LOG", 1_000_000)
    file = tmp_path / "access.log.gz"
    file.write_bytes(hostile_logs()[name])

    with pytest.raises(InvalidInput, match=r"cannot be read|split it"):
        read_log(log.LogFileReader(file).lines())
