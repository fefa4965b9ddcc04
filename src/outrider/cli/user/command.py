"""`outrider user`: add, list and change the people who may sign in."""

from enum import StrEnum
from typing import Annotated

import typer

from outrider.auth.model import Role
from outrider.auth.passwords import Passwords
from outrider.cli.commands import submenu
from outrider.cli.database import has_database
from outrider.cli.operator import operator
from outrider.cli.options import Config, Data, Json, Offset
from outrider.cli.output import plain, print_json, show
from outrider.cli.running import load_settings
from outrider.cli.use_case import UseCase, call, change
from outrider.cli.user.password import PasswordStdin, read_password
from outrider.cli.user.report import show_users
from outrider.services.as_json import as_json, list_as_json
from outrider.services.paging import ListPage, PageRequest
from outrider.services.users.changes import (
    change_role,
    disable_user,
    enable_user,
    remove_user,
    set_password,
    sign_out_everywhere,
)
from outrider.services.users.users import MOST_USERS, UserDetails, add_user, list_users
from outrider.settings import Loaded


class UserRole(StrEnum):
    """The roles that a person can have."""

    USER = "user"  # may read everything but users and the audit log
    ADMIN = "admin"  # may read and change everything


Named = Annotated[str, typer.Argument(metavar="NAME", help="Name or number of the user.", show_default=False)]
NewRole = Annotated[UserRole, typer.Option("--role", help="`user` may read, `admin` may change everything.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Skip the confirmation.")]


def add(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="The name to sign in with.", show_default=False)
    ],
    role: NewRole = UserRole.USER,
    password_stdin: PasswordStdin = False,
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """Add a user. The password is asked for, or read from standard input."""
    loaded = load_settings(config, data=data)
    password = read_password(password_stdin)
    made = call(
        loaded,
        lambda db: add_user(db, operator(), name, password, Role(role.value), Passwords()),
        may_create=True,
    )
    _tell(made, json, f"{made.name} is added as {made.role.value}.")


def list_(
    search: Annotated[
        str, typer.Option(metavar="TEXT", help="Only names that contain this.", show_default=False)
    ] = "",
    limit: Annotated[int, typer.Option(min=1, max=MOST_USERS, help="Most lines to print.")] = 50,
    offset: Offset = 0,
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """List users by name."""
    loaded = load_settings(config, data=data)
    found: ListPage[UserDetails] = ListPage([], 0, limit, offset)
    if has_database(loaded):
        found = call(loaded, lambda db: list_users(db, PageRequest(limit, offset), search), may_create=True)
    print_json(list_as_json(found, "users")) if json else show_users(found, is_narrow=bool(search))


def password(
    named: Named,
    password_stdin: PasswordStdin = False,
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """Give a user another password. All sessions of the user end."""
    loaded = load_settings(config, data=data)
    given = read_password(password_stdin)
    changed = _changed(loaded, lambda db: set_password(db, operator(), named, given, Passwords()))
    _tell(changed, json, f"{changed.name} has another password, and is signed out everywhere.")


def role(
    named: Named,
    role: Annotated[UserRole, typer.Argument(metavar="user|admin", help="The new role.", show_default=False)],
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """Change the role of a user. All sessions of the user end."""
    loaded = load_settings(config, data=data)
    changed = _changed(loaded, lambda db: change_role(db, operator(), named, Role(role.value)))
    _tell(changed, json, f"{changed.name} has the role {changed.role.value}.")


def disable(named: Named, json: Json = False, data: Data = None, config: Config = None) -> None:
    """Refuse a user from now on. Sessions end, and tokens stop working."""
    changed = _changed(load_settings(config, data=data), lambda db: disable_user(db, operator(), named))
    _tell(changed, json, f"{changed.name} is disabled.")


def enable(named: Named, json: Json = False, data: Data = None, config: Config = None) -> None:
    """Let a disabled user sign in again."""
    changed = _changed(load_settings(config, data=data), lambda db: enable_user(db, operator(), named))
    _tell(changed, json, f"{changed.name} is enabled.")


def sign_out(named: Named, json: Json = False, data: Data = None, config: Config = None) -> None:
    """End all sessions and bearer tokens of a user. API tokens stay."""
    loaded = load_settings(config, data=data)
    changed = _changed(loaded, lambda db: sign_out_everywhere(db, operator(), named))
    _tell(changed, json, f"{changed.name} is signed out everywhere.")


def remove(
    named: Named, yes: Yes = False, json: Json = False, data: Data = None, config: Config = None
) -> None:
    """Delete a user with all tokens. The audit log keeps what the user did."""
    loaded = load_settings(config, data=data)
    if not yes and not typer.confirm(f"Delete {named} and all tokens of the user?", err=True):
        raise typer.Abort
    removed = _changed(loaded, lambda db: remove_user(db, operator(), named))
    _tell(removed, json, f"{removed.name} is deleted.")


def _changed(loaded: Loaded, use_case: UseCase[UserDetails]) -> UserDetails:
    return change(loaded, use_case)


def _tell(user: UserDetails, json: bool, sentence: str) -> None:
    print_json(as_json(user)) if json else show(plain(sentence))


user = submenu(
    "user",
    {
        "add": add,
        "list": list_,
        "password": password,
        "role": role,
        "disable": disable,
        "enable": enable,
        "sign-out": sign_out,
        "remove": remove,
    },
)
