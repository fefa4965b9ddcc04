"""The embedded server's settings: durable, sized for the machine, under what the user asked for."""

import pytest

from outrider.db.tuning import rendered, tuned
from outrider.errors import Misconfigured

GIB = 1 << 30


@pytest.mark.parametrize(
    ("memory", "buffers"), [(1 * GIB, "128MB"), (4 * GIB, "256MB"), (64 * GIB, "1024MB")]
)
def test_a_small_machine_gets_small_buffers(memory, buffers):
    assert tuned(memory=memory, has_lz4=False, asked={})["shared_buffers"] == buffers


@pytest.mark.parametrize(("has_lz4", "method"), [(True, "lz4"), (False, "off")])
def test_wal_is_compressed_only_where_that_is_cheap(has_lz4, method):
    assert tuned(memory=GIB, has_lz4=has_lz4, asked={})["wal_compression"] == method


def test_the_default_is_durable_and_reached_by_its_socket_only():
    settings = tuned(memory=GIB, has_lz4=False, asked={})

    assert settings["synchronous_commit"] == "on"
    assert settings["listen_addresses"] == ""
    assert settings["unix_socket_permissions"] == "0700"
    assert "fsync" not in settings


def test_what_the_user_asks_for_wins():
    assert tuned(memory=GIB, has_lz4=False, asked={"work_mem": "64MB"})["work_mem"] == "64MB"


def test_values_are_quoted():
    assert "a = 'it''s \\\\ here'" in rendered({"a": "it's \\ here"})


@pytest.mark.parametrize("name", ["", "a b", "a'", "a\nb", "1a", "a=b"])
def test_a_name_that_is_none_is_refused(name):
    with pytest.raises(Misconfigured, match="cannot be a setting"):
        rendered({name: "1"})


def test_a_value_cannot_smuggle_in_a_line():
    with pytest.raises(Misconfigured, match="cannot be a setting"):
        rendered({"a": "1'\nfsync = 'off"})
