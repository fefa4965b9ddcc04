"""What a log line looks like, and what never gets into one."""

import asyncio
import io
import json
import logging

import pytest
import structlog
from tests.support.full_disk import full_file

from outrider.log_options import LogFormat, LogLevel, LogOptions
from outrider.logs import bind, get_logger, log_loop_exception, set_up


@pytest.fixture
def out():
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield io.StringIO()
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()
    structlog.contextvars.clear_contextvars()


def lines(out: io.StringIO) -> list[dict[str, object]]:
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_away_from_a_terminal_a_line_is_one_json_object(out):
    set_up(LogOptions(), service="worker", stream=out)

    get_logger().info("url visited", host="example.com", status_code=200)

    (line,) = lines(out)
    assert line.pop("timestamp")
    assert line == {
        "event": "url visited",
        "level": "info",
        "service": "worker",
        "host": "example.com",
        "status_code": 200,
    }


def test_text_can_be_asked_for(out):
    set_up(LogOptions(format=LogFormat.TEXT), service="worker", stream=out)

    get_logger().info("url visited", host="example.com")

    assert "url visited" in out.getvalue()
    assert "host=example.com" in out.getvalue()
    assert "{" not in out.getvalue()


def test_lines_below_the_level_are_not_written(out):
    set_up(LogOptions(level=LogLevel.WARNING), service="worker", stream=out)

    get_logger().info("quiet")
    logging.getLogger("a.library").info("quiet")
    get_logger().warning("heard")

    assert [line["event"] for line in lines(out)] == ["heard"]


def test_bound_fields_are_on_every_line_of_the_block_and_then_gone(out):
    set_up(LogOptions(), service="worker", stream=out)

    with bind(host="example.com"):
        get_logger().info("inside")
    get_logger().info("outside")

    inside, outside = lines(out)
    assert inside["host"] == "example.com"
    assert "host" not in outside


def test_the_lines_of_libraries_take_the_same_way(out):
    set_up(LogOptions(), service="worker", stream=out)

    logging.getLogger("a.library").warning("could not reach %s", "http://user:hunter2@host/")

    assert lines(out)[0]["event"] == "could not reach http://***@host/"


@pytest.mark.parametrize(
    ("fields", "shown"),
    [
        ({"body": "<html>"}, "(6 characters)"),
        ({"payload": b"1234"}, "(4 bytes)"),
        ({"db_password": "hunter2"}, "***"),
        ({"Authorization": "Bearer x"}, "***"),
        ({"headers": {"Set-Cookie": "a=b", "Server": "nginx"}}, {"Set-Cookie": "***", "Server": "nginx"}),
        ({"url": "http://u:hunter2@h/?token=abc&x=1"}, "http://***@h/?token=***&x=1"),
        ({"url": "http://h/\x1b[2J\n"}, "http://h/\\x1b[2J\\x0a"),
        ({"reason": "x" * 5_000}, "x" * 2_000 + "…"),
    ],
)
def test_bodies_and_secrets_never_reach_the_log(out, fields, shown):
    set_up(LogOptions(), service="worker", stream=out)

    get_logger().info("event", **fields)

    assert lines(out)[0][next(iter(fields))] == shown


def test_an_exception_is_one_line_that_says_what_and_where(out):
    set_up(LogOptions(), service="worker", stream=out)

    try:
        int("http://u:hunter2@h/")
    except ValueError:
        get_logger().exception("visit failed")

    (line,) = lines(out)
    assert "ValueError: invalid literal" in str(line["error"])
    assert "hunter2" not in out.getvalue()
    assert str(line["where"]).startswith("test_logs.py:")


async def test_an_exception_that_was_never_awaited_is_one_line_too(out):
    set_up(LogOptions(), service="worker", stream=out)
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(log_loop_exception)

    loop.call_exception_handler({"message": "task failed", "exception": RuntimeError("boom")})

    (line,) = lines(out)
    assert (line["event"], line["error"]) == ("task failed", "RuntimeError: boom")


def test_lines_that_cannot_be_written_raise_nothing_and_the_log_says_how_many_once_it_can(out, tmp_path):
    with full_file(tmp_path / "log") as full:
        set_up(LogOptions(), service="worker", stream=full.stream)

        get_logger().info("url visited")
        logging.getLogger("a.library").warning("could not reach it")
        full.make_room()
        get_logger().info("after")

        lost, after = (json.loads(line) for line in full.lines())
    assert {"timestamp", "since"} <= lost.keys()
    assert (lost["event"], lost["level"], lost["service"]) == ("log lines lost", "warning", "worker")
    assert (lost["lines"], lost["error"]) == (2, "No space left on device")
    assert after["event"] == "after"
