"""Changes of hosts by forms: block, unblock, reset, set the delay; also for a selection (UI-05)."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from fastapi import Form, Query
from starlette.requests import Request
from starlette.responses import Response

from outrider.auth.model import Role
from outrider.errors import InvalidInput
from outrider.hosts.options import LONGEST_DELAY_MS
from outrider.services.hosts.bulk import (
    MOST_HOSTS_SELECTED,
    HostSelection,
    block_hosts,
    reset_hosts,
    show_hosts,
)
from outrider.services.hosts.hosts import LONGEST_REASON, set_host_delay, unblock_host
from outrider.web.api.v1.parameters import LONGEST_HOST, HostName, HostPath
from outrider.web.dashboard.forms import ShortText
from outrider.web.dashboard.pages import PageRouter, done
from outrider.web.dashboard.rendering import render
from outrider.web.dashboard.way_back import back_path
from outrider.web.dependencies import Context, Db
from outrider.wording import plural

router = PageRouter()

Name = Annotated[HostName, Query(max_length=LONGEST_HOST)]
Names = Annotated[
    list[Annotated[HostName, Form(max_length=LONGEST_HOST)]], Form(max_length=MOST_HOSTS_SELECTED)
]
Reason = Annotated[str, Form(max_length=LONGEST_REASON)]


class HostChange(StrEnum):
    """What to do with selected hosts."""

    BLOCK = "block"
    RESET = "reset"


@dataclass(frozen=True, slots=True)
class HostConfirmPage:
    """What a change of selected hosts would do."""

    change: HostChange
    selection: HostSelection
    back: str

    @property
    def names(self) -> Sequence[str]:
        return [each.host for each in self.selection.hosts]


@router.get("/hosts/confirm", Role.ADMIN)
async def confirm_host_change(
    request: Request,
    db: Db,
    what: HostChange,
    selected: Annotated[list[Name], Query(max_length=MOST_HOSTS_SELECTED)] = [],  # noqa: B006
    back: Annotated[str, Query(max_length=2_000)] = "",
) -> Response:
    """What the change would do, with numbers. Nothing is changed."""
    selection = await show_hosts(db, selected) if selected else HostSelection(())
    page = HostConfirmPage(what, selection, back_path(request, back, "/hosts"))
    return render(request, "hosts/confirm.html", page, title="Confirm")


@router.post("/hosts/block", "host.block")
async def block_selected_by_form(
    request: Request, db: Db, context: Context, selected: Names, reason: Reason, back: ShortText = "/hosts"
) -> Response:
    outcome = await block_hosts(db, selected, reason, context.settings.hosts)
    path = back_path(request, back, "/hosts")
    told = f"{plural(outcome.done, 'host')} blocked: no request is sent there."
    return done(request, "/hosts?blocked=true" if path == "/hosts" else path, told)


@router.post("/hosts/reset", "host.reset")
async def reset_selected_by_form(
    request: Request, db: Db, selected: Names, back: ShortText = "/hosts"
) -> Response:
    outcome = await reset_hosts(db, selected)
    told = f"{plural(outcome.done, 'host')} reset: no block, no penalty, robots.txt is read again."
    return done(request, back_path(request, back, "/hosts"), told)


@router.post("/hosts/{host}/unblock", "host.unblock")
async def unblock_by_form(request: Request, db: Db, host: HostPath) -> Response:
    await unblock_host(db, host)
    return done(request, f"/hosts/{host}", f"{host} is asked again.")


@router.post("/hosts/{host}/delay", "host.delay")
async def set_delay_by_form(
    request: Request,
    db: Db,
    context: Context,
    host: HostPath,
    seconds: Annotated[str, Form(max_length=20)] = "",
) -> Response:
    """An empty field removes the administrator's delay."""
    asked = _milliseconds(seconds.strip())
    details = await set_host_delay(db, host, asked, context.settings.hosts)
    told = f"{(details.delay_ms or 0) / 1000:g} s"
    return done(request, f"/hosts/{host}", f"{host} is asked at most every {told}.")


def _milliseconds(seconds: str) -> int | None:
    if not seconds:
        return None
    try:
        value = float(seconds.replace(",", "."))
    except ValueError:
        raise InvalidInput("the delay is a number of seconds, such as 2 or 0.5") from None
    if not 0 <= value * 1000 <= LONGEST_DELAY_MS:
        raise InvalidInput("the delay is between 0 seconds and a day")
    return round(value * 1000)
