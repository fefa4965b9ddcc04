"""Parameters that several pages share. A filter that a form sends empty does not filter."""

from typing import Annotated

from fastapi import Form, Query
from pydantic import BeforeValidator
from starlette.requests import Request

from outrider.web.api.v1.parameters import LONGEST_HOST, LONGEST_SEARCH, LONGEST_URL, HostName
from outrider.web.dashboard.sign_in import own_path


def _blank(value: object) -> object:
    return None if isinstance(value, str) and not value.strip() else value


Blank = BeforeValidator(_blank)

UrlText = Annotated[str, Query(max_length=LONGEST_URL)]
HostText = Annotated[HostName | None, Blank, Query(max_length=LONGEST_HOST)]
HostForm = Annotated[HostName | None, Blank, Form(max_length=LONGEST_HOST)]
SearchText = Annotated[str | None, Blank, Query(max_length=LONGEST_SEARCH)]
SourceText = Annotated[str | None, Blank, Query(max_length=200)]
SourceForm = Annotated[str | None, Blank, Form(max_length=200)]
ReasonText = Annotated[str | None, Blank, Query(max_length=200)]
ReasonForm = Annotated[str | None, Blank, Form(max_length=200)]


def came_from(request: Request, otherwise: str) -> str:
    """The page of ours whose form was sent, without the prefix of a proxy; else another page."""
    base = str(request.base_url).rstrip("/")
    page = request.headers.get("referer", "")
    return own_path(page.removeprefix(base)) if page.startswith(f"{base}/") else otherwise
