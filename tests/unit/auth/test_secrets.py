"""A server that others can reach needs real secrets; on loopback they are made."""

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from outrider.auth.options import AuthOptions
from outrider.auth.secrets import development_secrets, is_loopback, problem_of, secrets_for
from outrider.errors import Misconfigured

GOOD = "Zk3v9QpL0xTnW7rYb2HsUd5FgJ8mCe1A"
OTHER = "aP4qR8sT1uV6wX0yZ3bC7dE2fG5hJ9kL"
GENERATED = {"OUTRIDER_JWT_SECRET": GOOD[::-1], "OUTRIDER_SESSION_SECRET": OTHER[::-1]}


def never() -> dict[str, str]:
    raise AssertionError("no secret may be generated here")


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "[::1]", "localhost", "127.9.9.9"])
def test_on_loopback_missing_secrets_are_generated(host: str):
    made = secrets_for(AuthOptions(), host, lambda: GENERATED)

    assert made.jwt == GENERATED["OUTRIDER_JWT_SECRET"].encode()
    assert made.session == GENERATED["OUTRIDER_SESSION_SECRET"].encode()
    assert made.internal is None
    assert made.is_development


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "crawler.example", "", "10.0.0.1"])
@pytest.mark.parametrize(
    ("options", "named"),
    [
        (AuthOptions(), "OUTRIDER_JWT_SECRET is not set"),
        (AuthOptions(jwt_secret=GOOD), "OUTRIDER_SESSION_SECRET is not set"),
        (AuthOptions(jwt_secret=GOOD[:31], session_secret=OTHER), "OUTRIDER_JWT_SECRET has fewer than 32"),
        (AuthOptions(jwt_secret=GOOD, session_secret="x" * 40), "OUTRIDER_SESSION_SECRET is easy"),
        (AuthOptions(jwt_secret="changeme" * 5 + "abc123", session_secret=OTHER), "JWT_SECRET is easy"),
        (AuthOptions(jwt_secret=GOOD, session_secret=GOOD), "are the same"),
        (
            AuthOptions(jwt_secret=GOOD, session_secret=OTHER, internal_secret="short"),
            "OUTRIDER_INTERNAL_SECRET has fewer",
        ),
    ],
)
def test_elsewhere_the_server_refuses_to_start_and_says_what_to_set(
    host: str, options: AuthOptions, named: str
):
    with pytest.raises(Misconfigured, match=named) as refused:
        secrets_for(options, host, never)

    assert "token_urlsafe" in str(refused.value)
    for secret in (options.jwt_secret, options.session_secret, options.internal_secret):
        assert not secret or secret not in str(refused.value)


def test_elsewhere_real_secrets_are_used():
    made = secrets_for(AuthOptions(GOOD, OTHER, GOOD[::-1]), "0.0.0.0", never)

    assert (made.jwt, made.session, made.internal) == (GOOD.encode(), OTHER.encode(), GOOD[::-1])
    assert not made.is_development
    assert GOOD not in repr(made)
    assert GOOD not in repr(AuthOptions(GOOD, OTHER))


def test_secrets_of_development_are_kept_and_only_their_owner_reads_them(tmp_path: Path):
    first = development_secrets(tmp_path / "data")
    (file,) = (tmp_path / "data").iterdir()

    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert development_secrets(tmp_path / "data") == first
    assert len(set(first.values())) == 2
    assert all(problem_of(secret) is None for secret in first.values())


def test_processes_that_start_at_once_share_their_secrets(tmp_path: Path):
    with ThreadPoolExecutor(8) as threads:
        made = list(threads.map(development_secrets, [tmp_path] * 8))

    assert all(each == made[0] for each in made)
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("text", ["", "[]", '{"OUTRIDER_JWT_SECRET": "short"}', "nonsense"])
def test_a_damaged_file_is_reported(tmp_path: Path, text: str):
    development_secrets(tmp_path)
    (file,) = tmp_path.iterdir()
    file.write_text(text)

    with pytest.raises(Misconfigured, match="delete it"):
        development_secrets(tmp_path)


def test_a_name_that_is_not_localhost_may_lead_anywhere():
    assert not is_loopback("localhost.example")
    assert not is_loopback("crawler")
