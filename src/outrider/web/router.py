"""Declares routes together with who may call them."""

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from fastapi import APIRouter
from starlette.requests import Request

from outrider.auth.model import Role
from outrider.web.access import Access
from outrider.web.answers import respond
from outrider.web.route import ApiRoute

Endpoint = Callable[..., Any]
F = TypeVar("F", bound=Endpoint)

_REQUEST = "_request"  # the parameter for a request that the handler itself does not take
ERRORS = {
    400: "The input cannot be used.",
    401: "The caller is not signed in.",
    403: "The role of the caller is not enough.",
    404: "There is no such object.",
    405: "The path does not take this method.",
    409: "The state of the object does not allow it.",
    412: "The object is not what `If-Match` names.",
    413: "The body is too large.",
    414: "The address is too long.",
    422: "Fields of the body have wrong values.",
    429: "Too many requests.",
    431: "The headers, or they and the address, are too large.",
    503: "A service behind it does not answer or is switched off.",
}


class ApiRouter:
    """Routes of one resource. Every route names its role; a changing one also its word in the audit log."""

    def __init__(self, tag: str) -> None:
        self.routes = APIRouter(route_class=ApiRoute, tags=[tag])

    def add(
        self,
        method: str,
        path: str,
        role: Role,
        *,
        summary: str,
        result: Any = None,
        status: int = 200,
        action: str | None = None,
        limit: str = "",
        also: Sequence[Role] = (),
        aliases: Sequence[str] = (),
        needs_database: bool = True,
        in_transaction: bool = True,
        is_probe: bool = False,
        is_secret: bool = False,
        records_itself: bool = False,
        has_position: bool = False,
        creates: str = "",
        media: Sequence[str] = (),
        example: Any = None,
        errors: Sequence[int] = (),
        **more: Any,
    ) -> Callable[[F], F]:
        """Declare a route. `result` is the type of the use case's result; `aliases` are older paths.

        `media` are the content types of an answer that is no JSON. `has_position`: streams report changes of
        what the route shows, so the answer says at which position a stream has to begin. `creates`: where the
        answer has the id of the object that it creates, as JSON pointer.
        """
        access = Access(
            role,
            frozenset(also),
            limit,
            action,
            needs_database,
            in_transaction,
            is_probe=is_probe,
            is_secret=is_secret,
            records_itself=records_itself,
            has_position=has_position,
        )
        if method not in ("GET", "HEAD") and action is None:
            raise TypeError(f"{method} {path} changes something: name its action for the audit log")

        def declare(handler: F) -> F:
            endpoint = _answering(handler, status)
            endpoint.access = access  # type: ignore[attr-defined]
            endpoint.result = result  # type: ignore[attr-defined]
            endpoint.example = example  # type: ignore[attr-defined]
            endpoint.media = media  # type: ignore[attr-defined]
            endpoint.creates = creates  # type: ignore[attr-defined]
            for each in (path, *aliases):
                self.routes.add_api_route(
                    each,
                    endpoint,
                    methods=[method],
                    status_code=status,
                    summary=summary,
                    operation_id=handler.__name__ if each == path else f"{handler.__name__}_alias",
                    deprecated=each != path or None,
                    response_model=None,
                    include_in_schema=each == path or each.startswith("/api/v1/"),
                    responses={code: {"description": ERRORS[code]} for code in errors},
                    **more,
                )
            return handler

        return declare

    def get(self, path: str, role: Role, **more: Any) -> Callable[[F], F]:
        return self.add("GET", path, role, **more)

    def post(self, path: str, role: Role, **more: Any) -> Callable[[F], F]:
        return self.add("POST", path, role, **more)

    def put(self, path: str, role: Role, **more: Any) -> Callable[[F], F]:
        return self.add("PUT", path, role, **more)

    def patch(self, path: str, role: Role, **more: Any) -> Callable[[F], F]:
        return self.add("PATCH", path, role, **more)

    def delete(self, path: str, role: Role, **more: Any) -> Callable[[F], F]:
        return self.add("DELETE", path, role, **more)


def _answering(handler: Endpoint, status: int) -> Endpoint:
    """The handler, its result converted to a response. FastAPI passes one request only."""
    takes = inspect.signature(handler, eval_str=True)
    own = next((name for name, each in takes.parameters.items() if each.annotation is Request), None)

    @functools.wraps(handler)
    async def answer(**given: Any) -> Any:
        request: Request = given[own] if own else given.pop(_REQUEST)
        return respond(await handler(**given), request, status)

    added = inspect.Parameter(_REQUEST, inspect.Parameter.KEYWORD_ONLY, annotation=Request)
    parameters = [*takes.parameters.values(), *([] if own else [added])]
    answer.__signature__ = takes.replace(parameters=parameters)  # type: ignore[attr-defined]
    return answer
