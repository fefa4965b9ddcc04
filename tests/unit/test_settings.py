"""Where a value comes from, which one wins, and what a mistake sounds like."""

from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from outrider.errors import Misconfigured
from outrider.log_options import LogFormat, LogLevel
from outrider.masking import mask_secret
from outrider.settings import Loaded, load
from outrider.settings.foreign import database_url
from outrider.settings.load import all_declared


def loaded(
    tmp_path: Path, toml: str = "", environ: dict[str, str] | None = None, **options: object
) -> Loaded:
    if toml:
        (tmp_path / "outrider.toml").write_text(toml)
    return load(options, environ=environ or {}, directory=tmp_path)


def origins(loaded: Loaded) -> dict[str, str]:
    return {choice.key: choice.origin for choice in loaded.choices()}


def test_without_anything_every_value_is_the_default(tmp_path):
    result = loaded(tmp_path)

    assert set(origins(result).values()) == {"default"}
    assert result.settings.logs.level is LogLevel.INFO


def test_the_command_line_wins_over_the_environment_and_that_over_the_file(tmp_path):
    toml = 'log_level = "debug"\nlog_format = "json"\ntimeout = 7\n'
    environ = {"OUTRIDER_LOG_FORMAT": "text", "OUTRIDER_TIMEOUT": "8s"}

    result = loaded(tmp_path, toml, environ, timeout=9, log_level=None)

    assert result.settings.logs.level is LogLevel.DEBUG
    assert result.settings.logs.format is LogFormat.TEXT
    assert origins(result)["log_level"] == f"{tmp_path / 'outrider.toml'}:1"
    assert origins(result)["log_format"] == "environment OUTRIDER_LOG_FORMAT"
    assert origins(result)["timeout"] == "option --timeout"
    assert {choice.key: choice.value for choice in result.choices()}["timeout"] == "9s"


def test_an_old_name_is_read_when_ours_is_not_set(tmp_path):
    old = loaded(tmp_path, environ={"LOG_LEVEL": "warn"})
    both = loaded(tmp_path, environ={"LOG_LEVEL": "warn", "OUTRIDER_LOG_LEVEL": "error"})

    assert old.settings.logs.level is LogLevel.WARNING
    assert origins(old)["log_level"] == "environment LOG_LEVEL"
    assert both.settings.logs.level is LogLevel.ERROR


def test_a_variable_without_effect_is_named_with_its_reason(tmp_path):
    result = loaded(tmp_path, environ={"CRAWLER_USE_REFERER": "true", "HOME": "/"})

    assert list(result.ignored) == ["CRAWLER_USE_REFERER"]


def test_the_chosen_file_counts_and_not_the_one_in_the_directory(tmp_path):
    (tmp_path / "outrider.toml").write_text('log_level = "debug"')
    chosen = tmp_path / "other.toml"
    chosen.write_text('log_level = "error"')

    by_option = load(config=chosen, environ={}, directory=tmp_path)
    by_variable = load(environ={"OUTRIDER_CONFIG": str(chosen)}, directory=tmp_path)

    assert by_option.settings.logs.level is LogLevel.ERROR
    assert by_variable.settings.logs.level is LogLevel.ERROR


@pytest.mark.parametrize(
    ("toml", "environ", "sentence"),
    [
        (
            "",
            {"OUTRIDER_LOG_LEVEL": "loud"},
            "OUTRIDER_LOG_LEVEL = 'loud' cannot be used: give one of debug, info, warning, error",
        ),
        ("", {"LOG_FORMAT": "xml"}, "LOG_FORMAT = 'xml' cannot be used: give one of auto, text, json"),
        (
            "",
            {"OUTRIDER_LOG_LEVLE": "info"},
            "OUTRIDER_LOG_LEVLE is not a setting; did you mean OUTRIDER_LOG_LEVEL?",
        ),
        ("", {"OUTRIDER_XYZZY": "1"}, "OUTRIDER_XYZZY is not a setting; `outrider config` lists them all"),
        ("\nlog_levle = 'info'", {}, "{file}:2: log_levle is not a setting; did you mean log_level?"),
        ("[fetch]\ntimeout = 1", {}, "{file}:1: fetch is not a setting; "),
        ("log_level = 3", {}, "{file}:1: log_level = '3' cannot be used: give one of debug"),
        ("contact = 'me'", {}, "{file}:1: contact = 'me' cannot be used: give an e-mail address"),
        ("log_level = ", {}, "{file} is not valid TOML: "),
        ("log_level = 2020-01-01", {}, "{file}:1: log_level = '2020-01-01' cannot be used: "),
    ],
)
def test_a_mistake_is_one_sentence_that_names_it(tmp_path, toml, environ, sentence):
    with pytest.raises(Misconfigured) as raised:
        loaded(tmp_path, toml, environ)

    assert str(raised.value).startswith(sentence.replace("{file}", str(tmp_path / "outrider.toml")))
    assert "\n" not in str(raised.value)


def test_a_file_that_is_not_there_or_not_text_is_said_so(tmp_path):
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"\xff\xfe")

    with pytest.raises(Misconfigured, match=r"missing\.toml cannot be read: No such file"):
        load(config=tmp_path / "missing.toml", environ={})
    with pytest.raises(Misconfigured, match=r"binary\.toml is not UTF-8"):
        load(config=binary, environ={})


def test_no_two_settings_share_a_name():
    names = [name for each in all_declared() for name in (each.setting.env, *each.setting.alias)]

    assert sorted(names) == sorted(set(names))


def test_every_default_could_have_been_written_by_hand(tmp_path):
    for each in all_declared():
        text = each.say(each.default)
        result = loaded(tmp_path, environ={each.setting.env: text} if text else {})
        value = getattr(getattr(result.settings, each.section), each.field)
        assert each.setting.secret or value == each.default, each.setting.env


@pytest.mark.parametrize(
    ("parts", "url"),
    [
        ({}, None),
        ({"PORT": "5433", "USER": "u"}, None),
        ({"HOST": "db"}, "postgresql://postgres@db/postgres"),
        (
            {"HOST": "db", "PORT": "5433", "USER": "crawler", "PASSWORD": "p@ss/w:rd", "DB": "crawl"},
            "postgresql://crawler:p%40ss%2Fw%3Ard@db:5433/crawl",
        ),
        (
            {"HOST": "::1", "USER": "a", "DB": "b", "SSLMODE": "require"},
            "postgresql://a@[::1]/b?sslmode=require",
        ),
        ({"HOST": "/run/postgresql", "USER": "a"}, "postgresql://a@/a?host=/run/postgresql"),
    ],
)
def test_the_parts_of_a_database_address_are_put_together(parts, url):
    assert database_url({f"POSTGRES_CRAWLER_{name}": value for name, value in parts.items()}) == url


def test_a_password_is_shown_nowhere(tmp_path):
    environ = {"POSTGRES_CRAWLER_HOST": "db", "POSTGRES_CRAWLER_PASSWORD": "hunter2"}

    choices = {choice.name: choice for choice in loaded(tmp_path, environ=environ).choices()}

    assert choices["OUTRIDER_DATABASE_URL"].value == "postgresql://***@db/postgres"
    assert choices["OUTRIDER_DATABASE_URL"].origin == "environment POSTGRES_CRAWLER_HOST"


@given(
    st.text(st.characters(codec="ascii", exclude_characters=" ,\n\t\r\x0b\x0c\x1c\x1d\x1e\x1f"), min_size=6)
)
def test_a_secret_does_not_survive_masking(password):
    assume(password not in "postgresql://***@db/x")
    hidden = [mask_secret(f"postgresql://user:{password}@db/x"), mask_secret(password)]

    assert all(password not in text for text in hidden)
