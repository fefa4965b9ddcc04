"""A simulation that is broken off says so, and never with the exit code of a rude one."""

import signal
from collections.abc import Iterator

import pytest

from outrider.cli.simulate.interrupt import interruptible


@pytest.fixture(autouse=True)
def _signals_as_in_a_terminal() -> Iterator[None]:
    """Under nohup, or in the background of a shell, some are ignored from the start."""
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = {number: signal.getsignal(number) for number in numbers}
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_every_signal_ends_it_with_a_word(
    number: signal.Signals, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended, interruptible():
        signal.raise_signal(number)

    assert ended.value.code == code
    assert "interrupted: there is no report" in capsys.readouterr().err


def test_sigterm_ends_also_a_background_job_that_ctrl_c_does_not() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with pytest.raises(SystemExit) as ended, interruptible():
            signal.raise_signal(signal.SIGTERM)
    finally:
        signal.signal(signal.SIGINT, before)

    assert ended.value.code == 143


def test_nohup_is_respected() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with interruptible():
            signal.raise_signal(signal.SIGHUP)
    finally:
        signal.signal(signal.SIGHUP, before)


def test_afterwards_signals_do_what_they_did() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with interruptible():
        assert signal.getsignal(signal.SIGTERM) is not before

    assert signal.getsignal(signal.SIGTERM) is before
