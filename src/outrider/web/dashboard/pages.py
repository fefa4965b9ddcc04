"""Declares the routes of pages. They go the same way as those of the API, and answer people."""

import functools
import inspect
from collections.abc import Callable
from typing import Any, TypeVar
from urllib.parse import quote

import asyncpg
from fastapi import APIRouter
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from outrider.auth.model import ANONYMOUS, Principal, Role
from outrider.errors import OutriderError, Unauthenticated
from outrider.logs import get_logger
from outrider.services.operations.alerts import count_open_alerts
from outrider.services.positions import current_position
from outrider.services.sites.content_links import count_dead_links
from outrider.web.access import Access
from outrider.web.dashboard.questions import Asks, ask_first
from outrider.web.dashboard.rendering import FLASH_COOKIE, LONGEST_TEXT, render
from outrider.web.dashboard.way_back import came_from, shown_page
from outrider.web.errors import status_of
from outrider.web.identity import PAGE_LIMIT
from outrider.web.route import ApiRoute, Handler, why_refused

log = get_logger()
NO_SUCH_PAGE = "No page has this address. It may be mistyped, or out of date."
F = TypeVar("F", bound=Callable[..., Any])


class PageRoute(ApiRoute):
    """A route whose refusals and errors are pages."""

    refuses_unknown = False

    async def identify(self, request: Request, db: asyncpg.Connection) -> Principal:
        """The reader. A session that is over leads to the sign-in, not to an error."""
        try:
            principal = await super().identify(request, db)
        except Unauthenticated:
            return ANONYMOUS
        if principal.is_signed_in and request.method == "GET":
            request.state.position = await current_position(db)
            request.state.badges = {
                "/sites": await count_dead_links(db),
                "/alerts": await count_open_alerts(db),
            }
        return principal

    def refuse(self, request: Request, principal: Principal) -> Response:
        root = request.scope.get("root_path", "")
        if principal.is_signed_in:
            return error_page(request, 403, why_refused(principal, self.access))
        if request.headers.get("hx-request"):  # a part of a page: the page leads to the sign-in, not the part
            shown = shown_page(request, "/overview")
            return Response(
                status_code=401, headers={"HX-Redirect": f"{root}/login?next={quote(shown, safe='')}"}
            )
        target = request.url.path.removeprefix(root) + (f"?{request.url.query}" if request.url.query else "")
        if request.method != "GET":  # the page of the form: its script fills the form in again
            target = came_from(request, "")
        return RedirectResponse(f"{root}/login?next={quote(target, safe='')}", 303)

    def get_route_handler(self) -> Handler:
        handle = super().get_route_handler()

        async def run(request: Request) -> Response:
            try:
                return await handle(request)
            except Asks as asks:
                return render(request, "question.html", asks.question, title="Confirm")
            except OutriderError as error:
                return _failed(request, status_of(error)[0], str(error))
            except RequestValidationError as error:
                if request.method == "GET" and any(each["loc"][0] == "path" for each in error.errors()):
                    return error_page(request, 404, NO_SUCH_PAGE)
                return _failed(request, 422, _wrong_fields(error))
            except HTTPException as error:
                return _failed(request, error.status_code, str(error.detail))
            except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError):
                return error_page(request, 503, "The database cannot answer now. Try again in a moment.")
            except Exception as error:
                log.error("request failed", path=request.url.path, exc_info=error)
                return error_page(request, 500, "An unexpected error: the log of the server has it.")

        return run


class PageRouter:
    """Pages of one part of the dashboard."""

    def __init__(self) -> None:
        self.routes = APIRouter(route_class=PageRoute)

    def get(self, path: str, role: Role = Role.USER, **more: Any) -> Callable[[F], F]:
        """Declare a page."""
        return self._add("GET", path, Access(role, limit=PAGE_LIMIT, **more))

    def post(self, path: str, action: str, role: Role = Role.ADMIN, **more: Any) -> Callable[[F], F]:
        """Declare the target of a form, which ends with `done`. `action` is its word in the audit log."""
        return self._add("POST", path, Access(role, action=action, limit=PAGE_LIMIT, **more))

    def _add(self, method: str, path: str, access: Access) -> Callable[[F], F]:
        def declare(handler: F) -> F:
            @functools.wraps(handler)
            async def endpoint(**given: Any) -> Response:
                if method == "POST":
                    await ask_first(given["request"])
                response: Response = await handler(**given)
                return response

            endpoint.__signature__ = inspect.signature(handler, eval_str=True)  # type: ignore[attr-defined]
            endpoint.access = access  # type: ignore[attr-defined]
            self.routes.add_api_route(
                path, endpoint, methods=[method], response_model=None, include_in_schema=False
            )
            return handler

        return declare


def done(request: Request, path: str, sentence: str, *, kind: str = "success") -> Response:
    """After a form: go to a page, which shows the sentence once."""
    root = request.scope.get("root_path", "")
    response = RedirectResponse(root + path, 303)
    text = f"{kind}:{sentence}".encode("ascii", "replace").decode()[:LONGEST_TEXT].replace("\n", " ")
    response.set_cookie(FLASH_COOKIE, text, max_age=60, path=root or "/", httponly=True, samesite="strict")
    return response


def error_page(request: Request, status: int, sentence: str) -> Response:
    """A page that says what went wrong."""
    return render(
        request, "error.html", {"status": status, "sentence": sentence}, title="Error", status=status
    )


def _failed(request: Request, status: int, sentence: str) -> Response:
    """A form that failed leads back to its page with the sentence; a page that failed is an error page."""
    sentence = sentence[:1].upper() + sentence[1:]
    if request.method == "POST" and status < 500 and (page := came_from(request, "")):
        return done(request, page, sentence, kind="danger")
    return error_page(request, status, sentence)


def _wrong_fields(error: RequestValidationError) -> str:
    told = [
        f"{'.'.join(str(part) for part in each['loc'][1:])}: {each['msg']}" for each in error.errors()[:5]
    ]
    return "These values cannot be used: " + "; ".join(told)
