"""`/settings`: every setting with its value and where the value came from. Read only."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from fastapi import Query
from starlette.requests import Request
from starlette.responses import Response

from outrider.settings import SettingValue
from outrider.web.dashboard.pages import PageRouter
from outrider.web.dashboard.rendering import render
from outrider.web.dependencies import Context

router = PageRouter()


@dataclass(frozen=True, slots=True)
class SettingsPage:
    """The settings that fit the search, secrets masked."""

    settings: Sequence[SettingValue]
    search: str
    only_changed: bool


@router.get("/settings", needs_database=False)
async def show_settings(
    request: Request,
    context: Context,
    search: Annotated[str, Query(max_length=100)] = "",
    changed: bool = False,
) -> Response:
    wanted = search.lower()
    found = [
        each
        for each in context.loaded.choices()
        if wanted in f"{each.name} {each.help}".lower() and not (changed and each.origin == "default")
    ]
    return render(request, "system/settings.html", SettingsPage(found, search, changed), title="Settings")
