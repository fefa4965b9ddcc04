"""Arguments that the commands of sites and redirects share."""

import getpass
from typing import Annotated, Any

import typer

from outrider.errors import InvalidInput

SiteName = Annotated[
    str, typer.Argument(metavar="SITE", help="The name or number of the site.", show_default=False)
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="A setting of the site, such as delete_fallback=gone. Lists have commas between their parts.",
        show_default=False,
    ),
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]

_WORDS = {"true": True, "false": False}


def read_settings(given: list[str] | None) -> dict[str, Any]:
    """Settings from NAME=VALUE; the site checks their kinds."""
    return dict(_read(each) for each in given or ())


def _read(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals:
        raise InvalidInput(f"{text[:200]!r} is no setting: write NAME=VALUE")
    if name in ("exempt_prefixes", "path_patterns", "bot_words"):
        return name, [part.strip() for part in value.split(",") if part.strip()]
    if value in _WORDS:
        return name, _WORDS[value]
    try:
        return name, float(value) if "." in value else int(value)
    except ValueError:
        return name, value


def operator() -> str:
    """Who runs the command, for the audit."""
    try:
        return f"{getpass.getuser()} (command line)"
    except (KeyError, OSError):
        return "command line"
