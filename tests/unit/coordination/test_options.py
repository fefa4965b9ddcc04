"""How the settings choose what keeps the locks, and that none of their secrets is shown."""

import pytest

from outrider.coordination.open_store import servers_for
from outrider.errors import Misconfigured
from outrider.redis.address import Address
from outrider.redis.options import RedisOptions
from outrider.settings import Loaded, load


@pytest.fixture
def loaded(tmp_path, request: pytest.FixtureRequest) -> Loaded:
    return load(environ=request.param, directory=tmp_path)


@pytest.mark.parametrize(
    ("loaded", "servers"),
    [
        ({}, []),
        ({"OUTRIDER_REDIS_ADDRESS": "cache:7000"}, ["redis://cache:7000"]),
        ({"OUTRIDER_REDIS_EVENTS": "true"}, ["redis://localhost:6379"]),
        ({"OUTRIDER_COORDINATION_REDIS": "localhost:6379"}, ["redis://localhost:6379"]),
        (
            {"OUTRIDER_REDIS_ADDRESS": "cache:7000", "OUTRIDER_COORDINATION_REDIS": "a, b:1,unix:///c"},
            ["redis://a:6379", "redis://b:1", "unix:///c"],
        ),
    ],
    indirect=["loaded"],
)
def test_the_settings_name_the_servers_and_none_means_postgresql(loaded: Loaded, servers: list[str]):
    found = servers_for(loaded.settings.coordination, loaded.settings.redis)

    assert [str(each.address) for each in found] == servers


def test_each_server_gets_the_password_of_the_settings(tmp_path):
    environ = {"OUTRIDER_COORDINATION_REDIS": "a,b", "OUTRIDER_REDIS_PASSWORD": "s3cret"}
    settings = load(environ=environ, directory=tmp_path).settings

    assert servers_for(settings.coordination, settings.redis) == [
        RedisOptions(Address("a"), "s3cret"),
        RedisOptions(Address("b"), "s3cret"),
    ]


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ("a,a:6379", "one server is named twice"),
        ("redis://a/1,redis://a/2", "one server is named twice"),
        (",".join(f"s{number}" for number in range(16)), "at most 15 servers"),
        ("http://a", "begins with redis://"),
    ],
)
def test_servers_that_cannot_be_used_are_refused(tmp_path, value: str, sentence: str):
    with pytest.raises(Misconfigured, match=sentence):
        load(environ={"OUTRIDER_COORDINATION_REDIS": value}, directory=tmp_path)


def test_times_that_do_not_fit_together_are_refused(tmp_path):
    with pytest.raises(Misconfigured, match="OUTRIDER_LEADER_RENEWAL must be at most half"):
        load(environ={"OUTRIDER_LEADER_TTL": "15s"}, directory=tmp_path)


def test_no_password_is_shown(tmp_path):
    environ = {"OUTRIDER_COORDINATION_REDIS": "redis://me:s3cret@a,redis://me:s3cret@b"}
    loaded = load(environ=environ, directory=tmp_path)
    shown = {choice.key: choice.value for choice in loaded.choices()}

    assert shown["coordination_redis"] == "redis://a:6379,redis://b:6379"
    assert "s3cret" not in repr(loaded.settings)
