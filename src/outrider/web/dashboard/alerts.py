"""`/alerts`: what needs a person now, and what did lately? (OBS-09)"""

from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from outrider.alerts.model import AlertKind
from outrider.services.operations.alerts import AlertFilter, AlertState, ListedAlert, list_alerts
from outrider.services.operations.health import read_process_facts
from outrider.services.paging import ListPage
from outrider.web.dashboard.forms import Chosen
from outrider.web.dashboard.pages import PageRouter
from outrider.web.dashboard.rendering import render
from outrider.web.dependencies import Context, Db, Paging
from outrider.wording import plural

router = PageRouter()


@dataclass(frozen=True, slots=True)
class AlertsPage:
    """Open and closed alerts, the newest first."""

    alerts: ListPage[ListedAlert]
    wanted: AlertFilter
    open: int
    is_watched: bool  # a scheduler runs, which opens and closes alerts

    kinds = tuple((each.value, each.value.replace("_", " ")) for each in AlertKind)

    @property
    def is_narrow(self) -> bool:
        return self.wanted != AlertFilter()

    @property
    def answer(self) -> str:
        """Whether something needs a person, in a sentence."""
        if not self.is_watched:
            return "No scheduler runs, so nothing is watched and no alert opens or closes."
        if not self.open:
            return "Nothing needs you: no alert is open."
        return f"{plural(self.open, 'alert is', 'alerts are')} open."


@router.get("/alerts")
async def show_alerts(
    request: Request, db: Db, context: Context, paging: Paging, state: Chosen = "", kind: Chosen = ""
) -> Response:
    wanted = AlertFilter(
        AlertState(state) if state in set(AlertState) else AlertState.ALL,
        AlertKind(kind) if kind in set(AlertKind) else None,
    )
    page = AlertsPage(
        await list_alerts(db, wanted, paging),
        wanted,
        request.state.badges["/alerts"],
        (await read_process_facts(db)).schedulers > 0,
    )
    return render(request, "alerts/alerts.html", page, title="Alerts")
