"""Addresses without a route: people get a page, programs get the error of the API."""

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from outrider.web.dashboard.pages import NO_SUCH_PAGE, error_page

_FOR_PROGRAMS = ("/api/", "/sse/", "/internal/", "/health/")


def add_missing_pages(app: FastAPI) -> None:
    """Answer browsers with a page where there is no route. Call it after the handlers of errors are added."""
    answer = app.exception_handlers[HTTPException]

    async def answer_people(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        if error.status_code == 404 and _is_person(request):
            return error_page(request, 404, NO_SUCH_PAGE)
        response: Response = await answer(request, error)  # type: ignore[misc]
        return response

    app.add_exception_handler(HTTPException, answer_people)


def _is_person(request: Request) -> bool:
    path = request.url.path.removeprefix(request.scope.get("root_path", ""))
    wants_page = "text/html" in request.headers.get("accept", "")
    return request.method == "GET" and wants_page and not path.startswith(_FOR_PROGRAMS)
