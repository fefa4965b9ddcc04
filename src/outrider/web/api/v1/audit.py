"""`/api/v1/audit`: who changed what."""

from typing import Annotated

from fastapi import Query

from outrider.auth.audit import AuditEntry, AuditFilter
from outrider.auth.model import Role
from outrider.services.paging import CursorPage
from outrider.services.users.audit_log import list_audit
from outrider.web.api.v1.parameters import Moment
from outrider.web.dependencies import CursorPaging, Db
from outrider.web.router import ApiRouter

router = ApiRouter("audit")

Text = Annotated[str | None, Query(max_length=200)]


@router.get("/api/v1/audit", Role.ADMIN, summary="Read the audit log", result=CursorPage[AuditEntry])
async def get_audit(
    db: Db,
    paging: CursorPaging,
    user: Text = None,
    action: Text = None,
    object_kind: Text = None,
    object_id: Text = None,
    since: Moment | None = None,
    until: Moment | None = None,
) -> CursorPage[AuditEntry]:
    """Every change, the newest first: who, when, from where, and what changed."""
    wanted = AuditFilter(user, action, object_kind, object_id, since, until)
    return await list_audit(db, wanted, paging)
