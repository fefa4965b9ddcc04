"""All routers of the API. Fixed paths are registered before paths with an id (APG-06)."""

from outrider.web.api.v1 import audit, auth, tokens, users, workers
from outrider.web.router import ApiRouter

ROUTERS: tuple[ApiRouter, ...] = (
    audit.router,
    auth.router,
    tokens.router,
    users.router,
    workers.router,
)
