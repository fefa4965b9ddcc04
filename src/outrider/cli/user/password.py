"""Read a password from standard input or from the terminal."""

import sys
from typing import Annotated

import typer

from outrider.auth.passwords import LONGEST
from outrider.errors import InvalidInput

PasswordStdin = Annotated[
    bool,
    typer.Option("--password-stdin", help="Read the password from the first line of standard input."),
]


def read_password(from_stdin: bool) -> str:
    """The password. It is no option, because others on the machine see the options of a command."""
    if from_stdin:
        line = sys.stdin.readline(LONGEST + 2)
        return line.removesuffix("\n").removesuffix("\r")
    if not sys.stdin.isatty():
        raise InvalidInput("there is no terminal to ask for the password: use --password-stdin")
    password: str = typer.prompt("Password", hide_input=True, confirmation_prompt=True, err=True)
    return password
