"""The numbers that the requirements give for the server."""

import inspect

from outrider.settings import load
from outrider.web.platform import API_STOP_S, SCHEDULER_STOP_S, WORKER_STOP_S
from outrider.web.process import server_config
from outrider.web.protocol import Bounds
from outrider.web.streams.streams import Streams
from outrider.workers.watching import LAST_S


def test_the_bounds_are_those_required():
    settings = load({}, config=None, environ={}).settings
    config = server_config(None, settings)

    assert (Bounds().read_s, Bounds().write_s, Bounds().idle_s) == (30, 60, 120)
    assert config.http.bounds == Bounds()
    assert config.timeout_keep_alive == 120
    assert (settings.web.host, settings.web.port) == ("127.0.0.1", 8060)


def test_a_stream_sends_a_comment_every_15_seconds():
    assert inspect.signature(Streams).parameters["heartbeat_s"].default == 15


def test_a_stop_takes_less_than_30_seconds():
    assert max(WORKER_STOP_S, SCHEDULER_STOP_S) + LAST_S + API_STOP_S < 30
