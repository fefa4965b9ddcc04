"""Two at a time, each in a process of its own, and none outlives us."""

import os
import signal
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from multiprocessing import Barrier, get_context
from multiprocessing.synchronize import Barrier as BarrierType
from pathlib import Path
from threading import BrokenBarrierError

from chaos.side_by_side import AT_ONCE, side_by_side


def _meet(barrier: BarrierType) -> str:
    try:
        barrier.wait(10)
    except BrokenBarrierError:
        return "alone"
    return "met"


def test_two_are_played_at_the_same_time() -> None:
    barrier = Barrier(AT_ONCE)

    played = list(side_by_side([(name, partial(_meet, barrier)) for name in ("one", "other")]))

    assert {each.name: each.result for each in played} == {"one": "met", "other": "met"}


def test_the_next_is_taken_only_when_there_is_a_place_for_it() -> None:
    taken: list[int] = []

    def plays() -> Iterator[tuple[str, partial[int]]]:
        for number in range(5):
            taken.append(number)
            yield str(number), partial(int, number)

    with closing(side_by_side(plays())) as played:
        next(played)

        assert taken == [0, 1]


def test_a_killed_process_is_reported_and_the_others_continue() -> None:
    plays = [("killed", lambda: os.kill(os.getpid(), signal.SIGKILL)), ("well", lambda: None)]

    assert {each.name for each in side_by_side(plays)} == {"killed", "well"}


def test_those_under_way_tidy_up_when_we_leave(tmp_path: Path) -> None:
    began, tidied = os.pipe(), tmp_path / "tidied"

    def goes_on() -> None:
        try:
            os.write(began[1], b".")
            signal.pause()
        finally:
            tidied.touch()

    with closing(side_by_side([("short", lambda: os.read(began[0], 1)), ("long", goes_on)])) as played:
        assert next(played).result == b"."

    assert tidied.exists()


def test_those_under_way_tidy_up_when_we_are_killed() -> None:
    says = os.pipe()

    def goes_on() -> None:
        try:
            os.write(says[1], b".")
            signal.pause()
        finally:
            os.write(says[1], b"!")

    us = get_context("fork").Process(target=lambda: list(side_by_side([("long", goes_on)])))
    us.start()
    assert os.read(says[0], 1) == b"."
    us.kill()

    assert os.read(says[0], 1) == b"!"
