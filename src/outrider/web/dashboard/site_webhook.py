"""The forms of the webhook of a site: its address, its secret, and a test."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import Form
from starlette.requests import Request
from starlette.responses import Response

from outrider.services.sites.webhook import SiteWithSecret, connect_webhook, rotate_secret, send_test
from outrider.web.api.v1.ids import SiteId
from outrider.web.dashboard.pages import PageRouter, done
from outrider.web.dashboard.rendering import render
from outrider.web.dependencies import Db

router = PageRouter()


@dataclass(frozen=True, slots=True)
class SecretPage:
    """A new secret, which is shown once."""

    made: SiteWithSecret
    is_new: bool


@router.post("/sites/{id}/webhook", "site.update", is_secret=True)
async def set_webhook_by_form(
    request: Request, db: Db, id: SiteId, update_webhook: Annotated[str, Form(max_length=2_000)] = ""
) -> Response:
    """An empty address removes the webhook. The first address comes with a secret, shown this once."""
    wanted = update_webhook.strip() or None
    made = await connect_webhook(db, id, wanted)
    if isinstance(made, SiteWithSecret):
        return render(request, "sites/secret.html", SecretPage(made, is_new=True), title=made.site.name)
    sentence = "Replacements are sent to the webhook." if wanted else "The webhook is removed."
    return done(request, f"/sites/{id}?tab=links", sentence)


@router.post("/sites/{id}/webhook/secret", "site.webhook_secret", is_secret=True)
async def rotate_secret_by_form(request: Request, db: Db, id: SiteId) -> Response:
    page = SecretPage(await rotate_secret(db, id), is_new=False)
    return render(request, "sites/secret.html", page, title=page.made.site.name)


@router.post("/sites/{id}/webhook/test", "site.webhook_test")
async def send_test_by_form(request: Request, db: Db, id: SiteId) -> Response:
    sent = await send_test(db, id)
    return done(request, f"/sites/{id}?tab=links", f"The test {sent.delivery_id} waits to be sent.")
