"""Listening sockets, and why they cannot be opened."""

import errno
import socket

import pytest

from outrider.errors import Misconfigured, Unavailable
from outrider.web.listen import address_to_open, explain, listen


@pytest.fixture
def open_sockets():
    opened: list[socket.socket] = []
    yield opened
    for each in opened:
        each.close()


def test_every_address_of_a_host_gets_the_same_port(open_sockets):
    open_sockets += listen("localhost", 0)

    assert len({each.getsockname()[1] for each in open_sockets}) == 1


def test_a_port_in_use_raises_unavailable(open_sockets):
    open_sockets += listen("127.0.0.1", 0)

    with pytest.raises(Unavailable, match="is in use by another program"):
        listen("127.0.0.1", open_sockets[0].getsockname()[1])


def test_a_browser_opens_loopback_if_the_server_listens_everywhere(open_sockets):
    open_sockets += listen("0.0.0.0", 0)

    port = open_sockets[0].getsockname()[1]
    assert address_to_open(open_sockets, "0.0.0.0", "/crawler/") == f"http://127.0.0.1:{port}/crawler/"


@pytest.mark.parametrize(
    ("number", "kind", "sentence"),
    [
        (errno.EACCES, Misconfigured, "this user may not listen on port 80"),
        (errno.EADDRINUSE, Unavailable, "port 80 of a.test is in use"),
        (errno.EADDRNOTAVAIL, Misconfigured, "a.test is no address of this machine"),
        (errno.ENOBUFS, Unavailable, "cannot listen on a.test port 80"),
    ],
)
def test_a_failure_is_one_sentence(number, kind, sentence):
    found = explain(OSError(number, "reason"), "a.test", 80)

    assert isinstance(found, kind)
    assert str(found).startswith(sentence)
