"""The precondition of a change, as a parameter of handlers."""

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any

from fastapi import Depends
from starlette.requests import Request

from outrider.web.answers import check_if_match


def _check(request: Request) -> Callable[[Any], None]:
    return partial(check_if_match, request)


# Raises PreconditionFailed if `If-Match` names another state than the one it is given.
IfMatch = Annotated[Callable[[Any], None], Depends(_check)]
