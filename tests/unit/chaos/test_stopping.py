"""Told to leave, a run ends once, with a code that says by what, and not in the middle of something."""

import signal
from collections.abc import Iterator

import pytest
from chaos.stopping import Stopped, stop_when_told, undisturbed


@pytest.fixture(autouse=True)
def _handlers_as_before() -> Iterator[None]:
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize(("number", "exit_code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_the_exit_code_says_what_ended_it(number: signal.Signals, exit_code: int) -> None:
    stop_when_told()

    with pytest.raises(Stopped) as stopped:
        signal.raise_signal(number)

    assert stopped.value.exit_code == exit_code


def test_a_second_signal_does_not_stop_the_clean_up() -> None:
    stop_when_told()
    with pytest.raises(Stopped):
        signal.raise_signal(signal.SIGINT)

    signal.raise_signal(signal.SIGINT)
    signal.raise_signal(signal.SIGTERM)


def test_what_must_not_be_disturbed_is_finished_first() -> None:
    done = []

    def disturbed() -> None:
        with undisturbed():
            signal.raise_signal(signal.SIGTERM)
            done.append("all of it")
        done.append("what comes after")

    stop_when_told()
    with pytest.raises(Stopped):
        disturbed()

    assert done == ["all of it"]
