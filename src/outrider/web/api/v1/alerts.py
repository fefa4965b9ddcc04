"""`/api/v1/alerts`: what needs a person, and what did lately (API-77)."""

from typing import Annotated

from fastapi import Query

from outrider.alerts.model import AlertKind
from outrider.auth.model import Role
from outrider.services.operations.alerts import AlertFilter, AlertState, ListedAlert, list_alerts
from outrider.services.paging import ListPage
from outrider.web.dependencies import Db, Paging
from outrider.web.router import ApiRouter

router = ApiRouter("alerts")


@router.get(
    "/api/v1/alerts", Role.USER, summary="List alerts", result=ListPage[ListedAlert], has_position=True
)
async def get_alerts(
    db: Db,
    paging: Paging,
    state: Annotated[AlertState, Query(description="Only open or only closed ones.")] = AlertState.ALL,
    kind: Annotated[AlertKind | None, Query(description="Only alerts of this kind.")] = None,
) -> ListPage[ListedAlert]:
    """Open alerts and those that were closed within 90 days, the newest first.

    The leading scheduler opens and closes them. While no scheduler runs, nothing is opened: watch `/health`.
    """
    return await list_alerts(db, AlertFilter(state, kind), paging)
