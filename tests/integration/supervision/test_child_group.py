"""Child processes that fail at their start, and the fork server that starts them."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

import psutil
import pytest

from outrider.supervision import child_group
from outrider.supervision.child_group import ChildGroup
from outrider.supervision.fork_server import fork_server, stop_fork_server
from outrider.supervision.restarts import MOST_FAILED_STARTS, Restarts

FAIL, CRASH, WORK, FIRST = (
    f"tests.support.children:{name}" for name in ("fail", "crash", "work", "first_works")
)


@pytest.fixture
def start(monkeypatch) -> Iterator[Callable[..., ChildGroup]]:
    """`start(target)` returns a group without pauses between its starts."""
    monkeypatch.setattr(child_group, "Restarts", lambda: Restarts(pause_s=0.0))
    groups = []

    def begin(target: str, *args: object, count: int = 1, gives_up: bool = True) -> ChildGroup:
        group = ChildGroup("test", count, target, args, gives_up=gives_up, context=fork_server([]))
        groups.append(group)
        return group

    yield begin
    for group in groups:
        group.kill()
    stop_fork_server()


def replace_until(group: ChildGroup, is_enough: Callable[[], bool]) -> None:
    give_up_at = time.monotonic() + 60
    while not is_enough():
        assert time.monotonic() < give_up_at
        group.replace_ended()
        time.sleep(0.01)


@pytest.mark.parametrize("target", [FAIL, CRASH], ids=["by an error", "killed"])
def test_processes_that_die_at_their_start_are_started_a_few_times_only(start, target):
    group = start(target)

    replace_until(group, lambda: group.is_hopeless)

    assert group.deaths == MOST_FAILED_STARTS
    assert group.replace_ended() == []
    assert group.pids == []


def test_the_error_of_a_start_is_reported(start):
    group = start(FAIL)

    replace_until(group, lambda: group.is_hopeless)

    assert group.last_error == "RuntimeError: no such table"


def test_a_module_that_cannot_be_imported_is_reported_like_any_error(start):
    group = start("tests.support.nothing_here:main")

    replace_until(group, lambda: group.is_hopeless)

    assert group.last_error == "ModuleNotFoundError: No module named 'tests.support.nothing_here'"


def test_a_group_that_never_gives_up_says_that_it_fails(start):
    group = start(FAIL, gives_up=False)

    replace_until(group, lambda: group.deaths > MOST_FAILED_STARTS + 2)

    assert not group.is_hopeless
    assert group.is_failing


def test_while_one_process_works_the_others_may_fail(start, tmp_path):
    group = start(FIRST, str(tmp_path), count=2)

    replace_until(group, lambda: group.deaths > MOST_FAILED_STARTS * 2)

    assert not group.is_hopeless
    assert not group.is_failing
    assert len(group.pids) in (1, 2)


def test_a_process_that_works_is_ready_and_is_replaced_when_it_is_killed(start):
    group = start(WORK)
    replace_until(group, lambda: group.pids != [] and group.is_working)
    (first,) = group.pids

    os.kill(first, signal.SIGKILL)
    replace_until(group, lambda: group.pids not in ([], [first]) and group.is_working)

    assert group.deaths == 1
    assert not group.is_failing


def test_after_the_fork_server_was_killed_its_processes_end_and_others_follow(start):
    group = start(WORK)
    replace_until(group, lambda: group.is_working)
    (first,) = (psutil.Process(pid) for pid in group.pids)

    server = first.parent()
    assert server is not None
    server.kill()
    with suppress(psutil.NoSuchProcess):
        first.wait(30)
    replace_until(group, lambda: group.pids not in ([], [first.pid]) and group.is_working)

    assert not first.is_running()


def test_processes_end_when_their_supervisor_is_gone(start):
    reader, writer = os.pipe()
    supervisor = os.fork()
    if supervisor == 0:  # the fork starts a group, reports its process and dies
        group = ChildGroup("test", 1, WORK, (), gives_up=True)
        with suppress(BaseException):
            replace_until(group, lambda: group.is_working)
            os.write(writer, str(group.pids[0]).encode())
        os._exit(0)
    os.close(writer)
    os.waitpid(supervisor, 0)
    with os.fdopen(reader) as answer:
        orphan = int(answer.read())

    with suppress(psutil.NoSuchProcess):
        psutil.Process(orphan).wait(30)
    assert not psutil.pid_exists(orphan)
