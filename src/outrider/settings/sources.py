"""Read settings from the command line, the environment and a file; the first that has a value wins."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from outrider.errors import Misconfigured
from outrider.settings.declared import DeclaredSetting
from outrider.settings.foreign import database_url

CONFIG_VARIABLE = "OUTRIDER_CONFIG"
TESTS_PREFIX = "OUTRIDER_TEST_"  # variables of the test suite
FILE_NAME = "outrider.toml"

_LONGEST_FILE = 1_000_000


@dataclass(frozen=True, slots=True)
class RawValue:
    """The raw value of a setting. `name` is the option, variable or key, `origin` where it is set."""

    raw: object
    name: str
    origin: str


def from_options(options: Mapping[str, object], settings: Sequence[DeclaredSetting]) -> dict[str, RawValue]:
    """The values of the command line, by key; None means that the option was not given."""
    known = {each.setting.key: each.setting.env for each in settings}
    given = {}
    for key, raw in options.items():
        if raw is not None:
            flag = "--" + key.replace("_", "-")
            given[known[key]] = RawValue(raw, flag, f"option {flag}")
    return given


def from_environment(environ: Mapping[str, str], settings: Sequence[DeclaredSetting]) -> dict[str, RawValue]:
    """The values of `OUTRIDER_*` variables and their aliases."""
    known = [each.setting.env for each in settings]
    for name in environ:
        if name.startswith("OUTRIDER_") and not (name in known or _is_no_setting(name)):
            raise Misconfigured(f"{name} is not a setting{_guess(name, known)}")

    given = {}
    for each in settings:
        setting = each.setting
        if setting.env in environ:
            given[setting.env] = _variable(setting.env, environ[setting.env])
        elif alias := next((name for name in setting.alias if environ.get(name)), None):
            given[setting.env] = _variable(alias, environ[alias])
    if "OUTRIDER_DATABASE_URL" in known and (composed := database_url(environ)):
        given.setdefault("OUTRIDER_DATABASE_URL", _variable("POSTGRES_CRAWLER_HOST", composed))
    return given


def from_file(path: Path, settings: Sequence[DeclaredSetting]) -> dict[str, RawValue]:
    """The values of an `outrider.toml`: one `key = value` a line, no tables."""
    text = _read(path)
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Misconfigured(f"{path} is not valid TOML: {error}") from error

    known = {each.setting.key: each.setting.env for each in settings}
    given = {}
    for key, raw in table.items():
        where = f"{path}:{_line_of(key, text)}"
        if key not in known:
            raise Misconfigured(f"{where}: {key} is not a setting{_guess(key, list(known))}")
        given[known[key]] = RawValue(raw, f"{where}: {key}", where)
    return given


def find_file(environ: Mapping[str, str], chosen: Path | None, candidates: Sequence[Path]) -> Path | None:
    """The settings file: the chosen one, even if it does not exist, else the first candidate that exists."""
    if chosen is None and environ.get(CONFIG_VARIABLE):
        chosen = Path(environ[CONFIG_VARIABLE])
    if chosen is not None:
        return chosen
    return next((path for path in candidates if path.is_file()), None)


def _is_no_setting(name: str) -> bool:
    return name == CONFIG_VARIABLE or name.startswith(TESTS_PREFIX)


def _variable(name: str, raw: str) -> RawValue:
    return RawValue(raw, name, f"environment {name}")


def _read(path: Path) -> str:
    try:
        with path.open("rb") as file:
            content = file.read(_LONGEST_FILE + 1)
        if len(content) > _LONGEST_FILE:
            raise Misconfigured(
                f"{path} is larger than {_LONGEST_FILE:,} bytes, too large for a settings file"
            )
        return content.decode()
    except OSError as error:
        raise Misconfigured(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise Misconfigured(f"{path} is not UTF-8") from error


def _line_of(key: str, text: str) -> int:
    for number, line in enumerate(text.splitlines(), start=1):
        name = line.partition("=")[0].strip().strip("\"'[]")
        if name == key or name.startswith(key + "."):
            return number
    return 1


def _guess(name: str, known: list[str]) -> str:
    # The common prefix would make any two names similar.
    keys = {each.removeprefix("OUTRIDER_"): each for each in known}
    close = get_close_matches(name.removeprefix("OUTRIDER_")[:100], keys, n=1)
    return f"; did you mean {keys[close[0]]}?" if close else "; `outrider config` lists them all"
