"""The audit log: who changed what, written in the transaction that makes the change."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

import asyncpg

from outrider.auth.audit_masking import mask_text, masked
from outrider.auth.model import Principal, ProvenBy, Role
from outrider.db.queries import Queries

_SQL = Queries.load("outrider.auth")


class AuditResult(StrEnum):
    """Whether the action was carried out."""

    DONE = "done"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Actor:
    """Who acts, and from where."""

    principal: Principal
    client_address: str | None = None
    request_id: str | None = None


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One row of the log."""

    audit_id: int
    at: datetime
    user_id: int | None
    user_name: str
    role: str
    proven_by: str
    client_address: str | None
    request_id: str | None
    action: str
    object_kind: str
    object_id: str | None
    changes: Mapping[str, Any]
    result: AuditResult


@dataclass(frozen=True, slots=True)
class AuditFilter:
    """Which rows a list shows; what is None does not limit it."""

    user: str | None = None  # name or number of the user who acted
    action: str | None = None
    object_kind: str | None = None
    object_id: str | None = None
    since: datetime | None = None
    until: datetime | None = None  # rows before this time


def shell_actor(user_name: str) -> Actor:
    """An operator at the command line: a person who can reach the database may do everything."""
    return Actor(Principal(Role.ADMIN, ProvenBy.SHELL, name=user_name))


async def record(
    db: asyncpg.Connection,
    actor: Actor,
    action: str,
    object_kind: str,
    object_id: object = None,
    *,
    before: Mapping[str, Any] | None = None,
    after: Mapping[str, Any] | None = None,
    result: AuditResult = AuditResult.DONE,
) -> None:
    """Write a row in the caller's transaction. Secrets are masked, and long values are cut."""
    changes = {name: value for name, value in (("before", before), ("after", after)) if value is not None}
    principal = actor.principal
    await db.execute(
        _SQL.record_audit,
        principal.user_id,
        _cut(principal.name, 100) or "",
        principal.role.value,
        principal.proven_by.value,
        _cut(actor.client_address, 100),
        _cut(actor.request_id, 100),
        _cut(action, 100),
        _cut(object_kind, 50),
        _cut(None if object_id is None else str(object_id), 200),
        json.dumps(masked(changes), ensure_ascii=False),
        result.value,
    )


async def read_audit(
    db: asyncpg.Connection,
    wanted: AuditFilter,
    behind: tuple[datetime, int] | None,
    limit: int,
) -> list[AuditEntry]:
    """Rows from the newest, behind a place."""
    at, audit_id = behind or (None, None)
    rows = await db.fetch(
        _SQL.read_audit,
        wanted.user,
        wanted.action,
        wanted.object_kind,
        wanted.object_id,
        wanted.since,
        wanted.until,
        at,
        audit_id,
        limit,
    )
    return [_entry(row) for row in rows]


async def count_audit(db: asyncpg.Connection, wanted: AuditFilter, most: int) -> int:
    """How many rows match, counted up to `most`."""
    total: int = await db.fetchval(
        _SQL.count_audit,
        wanted.user,
        wanted.action,
        wanted.object_kind,
        wanted.object_id,
        wanted.since,
        wanted.until,
        most,
    )
    return total


def _cut(text: str | None, longest: int) -> str | None:
    return None if text is None else mask_text(text)[:longest]


def _entry(row: Any) -> AuditEntry:
    fields = dict(row)
    changes, result = json.loads(fields.pop("changes")), AuditResult(fields.pop("result"))
    return AuditEntry(**fields, changes=changes, result=result)
