"""The use case of the audit log: list it from the newest row, with filters and a cursor."""

from datetime import UTC, datetime, timedelta

import asyncpg

from outrider.auth.audit import AuditEntry, AuditFilter, count_audit, read_audit
from outrider.errors import InvalidInput
from outrider.services.cursor import read_cursor, write_cursor
from outrider.services.paging import CursorPage, PageRequest, TotalIs

MOST_LISTED = 500
MOST_COUNTED = 10_000

_SORT = "audit"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


async def list_audit(
    db: asyncpg.Connection, wanted: AuditFilter, page: PageRequest
) -> CursorPage[AuditEntry]:
    """A page of the audit log. It has a cursor and no offset."""
    page = page.checked(MOST_LISTED, most_offset=0)
    for text in (wanted.user, wanted.action, wanted.object_kind, wanted.object_id):
        if text is not None and not text.isprintable():
            raise InvalidInput("a filter of the audit log is printable text")
    behind = None if page.cursor is None else _place(page.cursor)
    async with db.transaction():
        found = await read_audit(db, wanted, behind, page.limit + 1)
        total = await count_audit(db, wanted, MOST_COUNTED + 1)
    items = found[: page.limit]
    following = None
    if len(found) > page.limit:
        last = items[-1]
        following = write_cursor(_SORT, [(last.at - _EPOCH) // _MICROSECOND, last.audit_id])
    total_is = TotalIs.AT_LEAST if total > MOST_COUNTED else TotalIs.EXACT
    return CursorPage(items, min(total, MOST_COUNTED), page.limit, 0, total_is, following)


def _place(cursor: str) -> tuple[datetime, int]:
    microseconds, audit_id = read_cursor(cursor, _SORT, (int, int))
    try:
        return _EPOCH + microseconds * _MICROSECOND, audit_id
    except OverflowError:
        raise InvalidInput("the cursor cannot be read: start again without it") from None
