"""Parameters that several pages share. A filter that a form sends empty does not filter."""

from typing import Annotated

from fastapi import Form, Query
from pydantic import BeforeValidator, Field

from outrider.web.api.v1.parameters import LONGEST_HOST, LONGEST_SEARCH, LONGEST_URL, HostName


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
