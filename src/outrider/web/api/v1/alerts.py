"""`/api/v1/alerts`: alerts do not exist yet, and the API says so (API-77, APG-08)."""

from typing import NoReturn

from outrider.auth.model import Role
from outrider.errors import Unavailable
from outrider.web.router import ApiRouter

router = ApiRouter("alerts")


@router.get("/api/v1/alerts", Role.USER, summary="List alerts", needs_database=False, errors=(503,))
async def get_alerts() -> NoReturn:
    """Answers 503 until there are alerts. `/health` and the rules in `deploy/` say what needs attention."""
    raise Unavailable(
        "Outrider has no alerts yet: watch /health, or use the rules of deploy/prometheus with /metrics"
    )
