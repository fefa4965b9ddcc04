"""The webhook of a site: its secret, a test, and its deliveries (DLM-16)."""

from typing import Annotated

from pydantic import Field

from outrider.auth.model import Role
from outrider.links.webhook.model import Delivery
from outrider.services.paging import ListPage
from outrider.services.sites.webhook import (
    LONGEST_GRACE_S,
    SiteWithSecret,
    list_deliveries,
    rotate_secret,
    send_test,
)
from outrider.web.api.v1.ids import SiteId
from outrider.web.api.v1.shapes.sites import SiteWithSecretShape
from outrider.web.dependencies import Db, Paging, RequestBody
from outrider.web.router import ApiRouter

router = ApiRouter("webhooks of sites")


class NewSecretBody(RequestBody):
    """How long deliveries have the signature of the present secret, too."""

    grace_s: Annotated[float, Field(ge=0, le=LONGEST_GRACE_S, allow_inf_nan=False)] = 3_600.0


@router.post(
    "/api/v1/sites/{id}/webhook/secret",
    Role.ADMIN,
    summary="Make a new secret for the webhook",
    result=SiteWithSecretShape,
    action="site.webhook_secret",
    is_secret=True,
    errors=(400, 401, 403, 404, 422),
)
async def post_webhook_secret(db: Db, id: SiteId, body: NewSecretBody | None = None) -> SiteWithSecret:
    """The secret that signs deliveries, shown once. The present one signs, too, for `grace_s`."""
    return await rotate_secret(db, id, (body or NewSecretBody()).grace_s)


@router.post(
    "/api/v1/sites/{id}/webhook/test",
    Role.ADMIN,
    summary="Send a test to the webhook",
    result=Delivery,
    status=202,
    action="site.webhook_test",
    errors=(401, 403, 404, 409, 422),
)
async def post_webhook_test(db: Db, id: SiteId) -> Delivery:
    """Queue a signed delivery that changes nothing. The list of deliveries shows what became of it."""
    return await send_test(db, id)


@router.get(
    "/api/v1/sites/{id}/webhook/deliveries",
    Role.USER,
    summary="List deliveries to the webhook",
    result=ListPage[Delivery],
    errors=(401, 404, 422),
)
async def get_webhook_deliveries(db: Db, paging: Paging, id: SiteId) -> ListPage[Delivery]:
    """The deliveries of the last 30 days, newest first. A dead one is not sent again."""
    return await list_deliveries(db, id, paging)
