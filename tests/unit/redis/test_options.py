"""How the settings of Valkey are read, and that none of its secrets is shown."""

import pytest

from outrider.errors import Misconfigured
from outrider.redis.address import Address
from outrider.settings import load


def test_the_names_of_earlier_crawlers_are_read(tmp_path):
    environ = {
        "REDIS_ADDRESS": "cache:7000",
        "REDIS_PASSWORD": "s3cret",
        "REDIS_DB": "4",
        "REDIS_EVENTS_ENABLED": "true",
    }

    options = load(environ=environ, directory=tmp_path).settings.redis

    assert options.address == Address("cache", 7000)
    assert (options.password, options.db, options.events) == ("s3cret", 4, True)


def test_without_a_word_it_is_on_this_machine_and_no_events_travel(tmp_path):
    options = load(environ={}, directory=tmp_path).settings.redis

    assert (str(options.address), options.db, options.events) == ("redis://localhost:6379", 0, False)


def test_no_secret_is_shown(tmp_path):
    environ = {
        "OUTRIDER_REDIS_ADDRESS": "redis://me:s3cret@cache:7000/1",
        "OUTRIDER_REDIS_PASSWORD": "s3cret",
    }

    loaded = load(environ=environ, directory=tmp_path)
    shown = {choice.key: choice.value for choice in loaded.choices()}

    assert shown["redis_address"] == "redis://cache:7000/1"
    assert shown["redis_password"] == "***"
    assert "s3cret" not in repr(loaded.settings)


def test_a_mistake_in_an_address_does_not_show_its_password(tmp_path):
    environ = {"OUTRIDER_REDIS_ADDRESS": "redis://me:s3cret@cache:port"}

    with pytest.raises(Misconfigured, match="OUTRIDER_REDIS_ADDRESS") as refused:
        load(environ=environ, directory=tmp_path)
    assert "s3cret" not in str(refused.value)
