"""What handlers take as parameters: the connection, the caller, the part of a list."""

from datetime import datetime
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

import asyncpg
from fastapi import Depends, Query
from pydantic import BaseModel, ConfigDict, ValidationInfo, field_validator
from starlette.requests import Request

from outrider.auth.model import Principal
from outrider.services.paging import DEFAULT_LIMIT, PageRequest
from outrider.web.context import ServerContext, context_of

MOST_ITEMS = 250  # of one page (APG-02)
MOST_OFFSET = 100_000  # beyond it a list is read by its cursor


class RequestBody(BaseModel):
    """A request body: unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", str_max_length=100_000)

    @field_validator("*", mode="before")
    @classmethod
    def _of_its_type(cls, value: Any, info: ValidationInfo) -> Any:
        """Refuse what pydantic would convert, such as `"5"` or `true` for a number."""
        kinds = kinds_of(cls.model_fields[info.field_name or ""].annotation)
        if isinstance(value, bool):
            is_wrong = bool not in kinds and not kinds.isdisjoint({int, float})
        elif isinstance(value, str):
            is_wrong = kinds <= {int, float, bool, type(None)}
        else:
            is_wrong = isinstance(value, int | float) and kinds <= {bool, datetime, type(None)}
        if is_wrong:
            raise ValueError("the value has the wrong type")
        return value


def kinds_of(annotation: Any) -> set[Any]:
    """The types that a field may have."""
    if get_origin(annotation) is Annotated:
        return kinds_of(get_args(annotation)[0])
    if get_origin(annotation) in (Union, UnionType):
        return {kind for each in get_args(annotation) for kind in kinds_of(each)}
    return {annotation}


def _db(request: Request) -> asyncpg.Connection:
    connection: asyncpg.Connection = request.state.db
    return connection


def _caller(request: Request) -> Principal:
    principal: Principal = request.state.principal
    return principal


def _paging(
    limit: Annotated[int, Query(ge=1, le=MOST_ITEMS, description="Items of a page.")] = DEFAULT_LIMIT,
    offset: Annotated[int, Query(ge=0, le=MOST_OFFSET, description="Items to skip.")] = 0,
) -> PageRequest:
    return PageRequest(limit, offset)


def _cursor_paging(
    limit: Annotated[int, Query(ge=1, le=MOST_ITEMS, description="Items of a page.")] = DEFAULT_LIMIT,
    offset: Annotated[int, Query(ge=0, le=MOST_OFFSET, description="Items to skip.")] = 0,
    after: Annotated[
        str | None, Query(max_length=8_000, description="The value of `next` of the page before.")
    ] = None,
) -> PageRequest:
    return PageRequest(limit, offset, after)


Db = Annotated[asyncpg.Connection, Depends(_db)]
Caller = Annotated[Principal, Depends(_caller)]
Context = Annotated[ServerContext, Depends(context_of)]
Paging = Annotated[PageRequest, Depends(_paging)]
CursorPaging = Annotated[PageRequest, Depends(_cursor_paging)]
