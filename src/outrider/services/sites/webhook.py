"""Use cases of the webhook of a site: its address, its secret, a test, and what became of deliveries."""

from dataclasses import dataclass, field
from datetime import UTC, datetime

import asyncpg

from outrider.errors import Conflict, InvalidInput
from outrider.links.webhook.model import Delivery, DeliveryKind
from outrider.links.webhook.store import DeliveryStore
from outrider.services.paging import ListPage, PageRequest
from outrider.sites.model import OwnedSite
from outrider.sites.store import SiteStore
from outrider.webhooks.address import webhook_address
from outrider.webhooks.signature import new_secret

SECRET_GRACE_S = 3_600.0
LONGEST_GRACE_S = 30 * 86_400
MOST_TESTS_WAITING = 100
_STORE = DeliveryStore()


@dataclass(frozen=True, slots=True)
class SiteWithSecret:
    """A site and the new secret of its webhook, which is shown once."""

    site: OwnedSite
    secret: str = field(repr=False)


async def set_webhook_of(db: asyncpg.Connection, site: OwnedSite, url: str | None) -> OwnedSite:
    """Set or remove the webhook within the transaction of the caller; raises InvalidInput and Conflict."""
    if url is None:
        await _STORE.end_all(db, site.site_id)
        return await SiteStore().set_webhook(db, site.site_id, None)
    if not site.has_webhook_secret:
        raise Conflict("make the secret of the webhook first: everything that is sent to it is signed")
    return await SiteStore().set_webhook(db, site.site_id, webhook_address(url))


async def connect_webhook(db: asyncpg.Connection, named: str, url: str | None) -> SiteWithSecret | OwnedSite:
    """Set or remove the webhook. The first time a secret is made, which the result has."""
    async with db.transaction():
        site = await SiteStore().lock(db, named)
        if url is None or site.has_webhook_secret:
            return await set_webhook_of(db, site, url)
        webhook_address(url)
        secret = new_secret()
        site = await SiteStore().set_webhook_secret(db, site.site_id, secret, 0.0)
        return SiteWithSecret(await set_webhook_of(db, site, url), secret)


async def rotate_secret(
    db: asyncpg.Connection, named: str, grace_s: float = SECRET_GRACE_S
) -> SiteWithSecret:
    """Make a new secret. For `grace_s` seconds deliveries have the signature of the present one, too."""
    if not 0 <= grace_s <= LONGEST_GRACE_S:
        raise InvalidInput("the old secret stays valid for 0 seconds to 30 days")
    secret = new_secret()
    async with db.transaction():
        site = await SiteStore().lock(db, named)
        return SiteWithSecret(await SiteStore().set_webhook_secret(db, site.site_id, secret, grace_s), secret)


async def send_test(db: asyncpg.Connection, named: str) -> Delivery:
    """Queue a delivery that changes nothing; raises Conflict for a site without a webhook."""
    async with db.transaction():
        site = await SiteStore().lock(db, named)
        if await _STORE.count_waiting(db, site.site_id) >= MOST_TESTS_WAITING:
            raise Conflict("too many deliveries wait: see what became of the last ones first")
        told = {"site": site.name, "sent_at": datetime.now(UTC).isoformat()}
        sent = await _STORE.add(db, site.site_id, DeliveryKind.TEST, told)
        if sent is None:
            raise Conflict(f"the site {site.name} has no webhook: set update_webhook first")
    return sent


async def list_deliveries(db: asyncpg.Connection, named: str, page: PageRequest) -> ListPage[Delivery]:
    """The deliveries of the last 30 days, newest first."""
    page = page.checked()
    async with db.transaction():
        site = await SiteStore().find(db, named)
        found, total = await _STORE.page(db, site.site_id, page.limit, page.offset)
    return ListPage(found, total, page.limit, page.offset)
