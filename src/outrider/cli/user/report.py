"""Print users."""

from datetime import UTC, datetime

from outrider.cli.output import plain, show, table
from outrider.services.paging import ListPage
from outrider.services.users.users import UserDetails
from outrider.wording import count, plural, when

_COLUMNS = ("", "name", "role", "state", "last login", "added")
_NO_USERS = "There are no users yet: `outrider user add NAME --role admin` adds one."


def show_users(found: ListPage[UserDetails], *, is_narrow: bool) -> None:
    if not found.items:
        show(plain("No user matches." if is_narrow else _NO_USERS))
        return
    now = datetime.now(UTC)
    show(table(_COLUMNS, (_row(user, now) for user in found.items), right=("",), whole=("name", "role")))
    if found.total > len(found.items):
        shown = f"{count(len(found.items))} of {plural(found.total, 'user')}"
        show(plain(f"{shown}; --limit and --offset show more."))


def _row(user: UserDetails, now: datetime) -> tuple[object, ...]:
    last = "never" if user.last_login_at is None else when(user.last_login_at, now)
    state = "enabled" if user.enabled else "disabled"
    return user.id, user.name, user.role.value, state, last, when(user.created_at, now)
