"""Parameters that several pages share. A filter that a form sends empty does not filter."""

from typing import Annotated

from fastapi import Form, Query
from pydantic import BeforeValidator, Field
from starlette.requests import Request

from outrider.web.api.v1.parameters import LONGEST_HOST, LONGEST_SEARCH, LONGEST_URL, HostName
from outrider.web.dashboard.sign_in import own_path


def _blank(value: object) -> object:
    return None if isinstance(value, str) and not value.strip() else value


Blank = BeforeValidator(_blank)

UrlText = Annotated[str, Query(max_length=LONGEST_URL)]
HostText = Annotated[Annotated[HostName, Field(max_length=LONGEST_HOST)] | None, Blank, Query()]
HostForm = Annotated[Annotated[HostName, Field(max_length=LONGEST_HOST)] | None, Blank, Form()]
SearchText = Annotated[Annotated[str, Field(max_length=LONGEST_SEARCH)] | None, Blank, Query()]
SourceText = Annotated[Annotated[str, Field(max_length=200)] | None, Blank, Query()]
SourceForm = Annotated[Annotated[str, Field(max_length=200)] | None, Blank, Form()]
ReasonText = Annotated[Annotated[str, Field(max_length=200)] | None, Blank, Query()]
ReasonForm = Annotated[Annotated[str, Field(max_length=200)] | None, Blank, Form()]


def came_from(request: Request, otherwise: str) -> str:
    """The page of ours whose form was sent, without the prefix of a proxy; else another page."""
    base = str(request.base_url).rstrip("/")
    page = request.headers.get("referer", "")
    return own_path(page.removeprefix(base)) if page.startswith(f"{base}/") else otherwise
