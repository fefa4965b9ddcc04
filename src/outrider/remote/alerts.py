"""Use cases of alerts on a server."""

from outrider.remote.lists import read_list
from outrider.remote.server import Server
from outrider.services.operations.alerts import AlertFilter, ListedAlert
from outrider.services.paging import ListPage, PageRequest


async def list_alerts(server: Server, wanted: AlertFilter, page: PageRequest) -> ListPage[ListedAlert]:
    """See `services.alerts.list_alerts`."""
    query = {"state": wanted.state.value, "kind": wanted.kind.value if wanted.kind else None}
    return await read_list(server, ListedAlert, "/api/v1/alerts", query, page)
