"""`outrider token`: create, list and revoke the API tokens of programs."""

from datetime import UTC, datetime, timedelta
from typing import Annotated

import typer

from outrider.auth.api_tokens import ApiToken
from outrider.auth.model import Role
from outrider.cli.commands import submenu
from outrider.cli.database import has_database
from outrider.cli.operator import operator
from outrider.cli.options import Config, Data, Json, Offset
from outrider.cli.output import plain, print_json, say, show, table
from outrider.cli.running import load_settings
from outrider.cli.use_case import call
from outrider.cli.user.command import UserRole
from outrider.durations import seconds_of
from outrider.errors import InvalidInput
from outrider.services.as_json import as_json, list_as_json
from outrider.services.paging import ListPage, PageRequest
from outrider.services.users.api_tokens import (
    MOST_LISTED,
    TokenRequest,
    create_api_token,
    list_api_tokens,
    revoke_api_token,
)
from outrider.wording import count, plural, when

_COLUMNS = ("", "name", "user", "role", "last used", "expires")
_NO_TOKENS = "There are no tokens: `outrider token create NAME --user USER` creates one."


def create(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What the token is for.", show_default=False)],
    user: Annotated[
        str, typer.Option(metavar="USER", help="Name or number of its owner.", show_default=False)
    ],
    role: Annotated[
        UserRole | None,
        typer.Option(help="Its role, at most that of the owner.", show_default="that of the owner"),
    ] = None,
    read_only: Annotated[bool, typer.Option("--read-only", help="It may change nothing.")] = False,
    expires: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="When it ends: 90d, 12h.", show_default="never"),
    ] = None,
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """Create a token for a program. Its key is printed once and cannot be shown again."""
    now = datetime.now(UTC)
    request = TokenRequest(name, user, Role(role.value) if role else None, read_only, _end(expires, now))
    loaded = load_settings(config, data=data)
    made = call(loaded, lambda db: create_api_token(db, operator(), request, now))
    if json:
        print_json(as_json(made.token) | {"key": made.key})
        return
    say(f"token {made.token.token_id} of {made.token.user_name}: keep this key, it is not shown again")
    show(plain(made.key))


def list_(
    user: Annotated[
        str | None, typer.Option(metavar="USER", help="Only tokens of this user.", show_default=False)
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=MOST_LISTED, help="Most lines to print.")] = 50,
    offset: Offset = 0,
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """List tokens that are not revoked."""
    loaded = load_settings(config, data=data)
    found: ListPage[ApiToken] = ListPage([], 0, limit, offset)
    if has_database(loaded):
        page = PageRequest(limit, offset)
        found = call(loaded, lambda db: list_api_tokens(db, operator(), page, user), may_create=True)
    print_json(list_as_json(found, "tokens")) if json else _show(found)


def revoke(
    number: Annotated[
        int,
        typer.Argument(
            metavar="NUMBER", min=1, max=2**31 - 1, help="Number of the token.", show_default=False
        ),
    ],
    json: Json = False,
    data: Data = None,
    config: Config = None,
) -> None:
    """Refuse a token from now on."""
    loaded = load_settings(config, data=data)
    revoked = call(loaded, lambda db: revoke_api_token(db, operator(), number))
    print_json(as_json(revoked)) if json else show(
        plain(f"{revoked.name} of {revoked.user_name} is revoked.")
    )


def _end(expires: str | None, now: datetime) -> datetime | None:
    if expires is None:
        return None
    try:
        return now + timedelta(seconds=seconds_of(expires))
    except (ValueError, OverflowError):
        raise InvalidInput(f"--expires {expires[:40]!r} is no time such as 90d or 12h") from None


def _show(found: ListPage[ApiToken]) -> None:
    if not found.items:
        show(plain(_NO_TOKENS))
        return
    now = datetime.now(UTC)
    show(table(_COLUMNS, (_row(token, now) for token in found.items), right=("",), whole=("name", "user")))
    if found.total > len(found.items):
        shown = f"{count(len(found.items))} of {plural(found.total, 'token')}"
        show(plain(f"{shown}; --limit and --offset show more."))


def _row(token: ApiToken, now: datetime) -> tuple[object, ...]:
    role = f"{token.role.value}, read only" if token.read_only else token.role.value
    used = "never" if token.last_used_at is None else when(token.last_used_at, now)
    ends = "never" if token.expires_at is None else when(token.expires_at, now)
    return token.token_id, token.name, token.user_name, role, used, ends


token = submenu("token", {"create": create, "list": list_, "revoke": revoke})
