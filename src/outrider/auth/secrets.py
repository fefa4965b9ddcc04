"""The secrets of the server, and the rule that a server which others can reach needs real ones (AUT-10)."""

import json
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from secrets import token_urlsafe
from typing import Any

from outrider.auth.options import AuthOptions
from outrider.errors import Misconfigured

SHORTEST_SECRET = 32  # characters
FILE_NAME = "development-secrets.json"

_RANDOM_BYTES = 48
_WELL_KNOWN = (
    "changeme",
    "change-me",
    "change_me",
    "secret",
    "password",
    "default",
    "example",
    "development",
)
_FEWEST_CHARACTERS = 8  # different ones in a secret
_HOW = "set it to the output of `python3 -c 'import secrets; print(secrets.token_urlsafe(48))'`"


@dataclass(frozen=True, slots=True)
class Secrets:
    """What the server signs with."""

    jwt: bytes = field(repr=False)
    session: bytes = field(repr=False)
    internal: str | None = field(default=None, repr=False)  # None: there are no internal routes
    is_development: bool = False  # generated here, because none was set


def secrets_for(options: AuthOptions, host: str, stored: Callable[[], dict[str, str]]) -> Secrets:
    """The secrets of a server that binds `host`; raises Misconfigured with what to set.

    On loopback, `stored` gives secrets of development in place of those that are not set.
    """
    given = {"OUTRIDER_JWT_SECRET": options.jwt_secret, "OUTRIDER_SESSION_SECRET": options.session_secret}
    if not is_loopback(host):
        needed = given | (
            {"OUTRIDER_INTERNAL_SECRET": options.internal_secret} if options.internal_secret else {}
        )
        for name, secret in needed.items():
            if problem := problem_of(secret):
                raise Misconfigured(f"the server is reachable at {host}, and {name} {problem}: {_HOW}")
        if options.jwt_secret == options.session_secret:
            raise Misconfigured(
                f"OUTRIDER_JWT_SECRET and OUTRIDER_SESSION_SECRET are the same: give each its own; {_HOW}"
            )
    generated = stored() if not all(given.values()) else {}
    jwt_secret, session_secret = (secret or generated[name] for name, secret in given.items())
    return Secrets(
        jwt_secret.encode(), session_secret.encode(), options.internal_secret or None, bool(generated)
    )


def problem_of(secret: str | None) -> str | None:
    """What is wrong with a secret, as the end of a sentence; None if it may be used anywhere."""
    if not secret:
        return "is not set"
    if len(secret) < SHORTEST_SECRET:
        return f"has fewer than {SHORTEST_SECRET} characters"
    if len(set(secret)) < _FEWEST_CHARACTERS or any(word in secret.lower() for word in _WELL_KNOWN):
        return "is easy to guess"
    return None


def is_loopback(host: str) -> bool:
    """Whether only programs on this machine can reach a server at `host`."""
    if host.lower() == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def development_secrets(data_dir: Path) -> dict[str, str]:
    """The secrets of development in the data directory; they are generated at the first start.

    Only the owner may read the file. Of two processes that start at once, both use the same secrets.
    """
    path = data_dir / FILE_NAME
    try:
        data_dir.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            _write_once(path)
        stored = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise Misconfigured(
            f"{path} cannot be used: {error.strerror}; set OUTRIDER_JWT_SECRET and OUTRIDER_SESSION_SECRET"
        ) from error
    except ValueError:
        stored = None
    if not _is_complete(stored):
        raise Misconfigured(f"{path} is damaged: delete it, and the next start writes a new one")
    return dict(stored)


def _write_once(path: Path) -> None:
    """Write a whole file under a name of its own, then give it the real name unless that exists."""
    text = json.dumps(
        {name: token_urlsafe(_RANDOM_BYTES) for name in ("OUTRIDER_JWT_SECRET", "OUTRIDER_SESSION_SECRET")}
    )
    own = path.with_name(f".{path.name}.{os.getpid()}.{token_urlsafe(6)}")
    try:
        with os.fdopen(os.open(own, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(text)
        with suppress(FileExistsError):  # another process was first
            os.link(own, path)
    finally:
        own.unlink(missing_ok=True)


def _is_complete(stored: Any) -> bool:
    names = ("OUTRIDER_JWT_SECRET", "OUTRIDER_SESSION_SECRET")
    return isinstance(stored, dict) and all(problem_of(stored.get(name)) is None for name in names)
