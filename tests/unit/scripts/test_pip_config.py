"""uv is told what pip was told."""

import pytest
from pip_config import pip_options, uv_environment


@pytest.fixture
def environ(tmp_path, monkeypatch):
    """An environment whose only pip.conf is one that the test writes."""
    monkeypatch.setattr("pip_config._config_files", lambda environ: [tmp_path / "pip.conf"])
    return {}


def test_the_environment_wins_over_the_file_and_install_over_global(tmp_path, environ):
    (tmp_path / "pip.conf").write_text(
        "[global]\nindex-url = https://a.example/simple\ntimeout = 5\nretries = 1\n[install]\nretries = 2\n"
    )
    environ["PIP_INDEX_URL"] = "https://b.example/simple"

    assert pip_options(environ) == {"index-url": "https://b.example/simple", "timeout": "5", "retries": "2"}


def test_indexes_certificates_and_trusted_hosts_are_handed_on(tmp_path, environ):
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    (tmp_path / "pip.conf").write_text(
        "[global]\n"
        "index-url = https://a.example/simple\n"
        f"extra-index-url = https://b.example/simple\n  file://{wheels}\n  file:///nowhere/simple\n"
        f"find-links = {wheels} /nowhere\n"
        "trusted-host = a.example\n"
        "cert = /etc/house.pem\n"
    )

    told = uv_environment(environ)

    assert told["UV_DEFAULT_INDEX"] == "https://a.example/simple"
    assert told["UV_INDEX"] == f"https://b.example/simple file://{wheels}"
    assert told["UV_FIND_LINKS"] == str(wheels)
    assert told["UV_INSECURE_HOST"] == "a.example"
    assert told["SSL_CERT_FILE"] == "/etc/house.pem"


def test_the_users_own_uv_settings_stay(environ):
    environ |= {
        "PIP_INDEX_URL": "https://a.example/simple",
        "PIP_CERT": "/etc/house.pem",
        "UV_DEFAULT_INDEX": "https://c.example/simple",
        "SSL_CERT_FILE": "/etc/mine.pem",
    }

    assert not uv_environment(environ).keys() & {"UV_DEFAULT_INDEX", "UV_INDEX", "SSL_CERT_FILE"}


def test_a_machine_without_any_configuration_is_left_to_the_defaults(environ):
    assert not [name for name in uv_environment(environ) if "INDEX" in name and name != "UV_INDEX_STRATEGY"]


def test_a_file_that_cannot_be_read_is_only_a_hint_lost(tmp_path, environ):
    (tmp_path / "pip.conf").write_bytes(b"\xff not a config [")

    assert pip_options(environ) == {}
