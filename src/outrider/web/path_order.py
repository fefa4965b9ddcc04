"""Brings routes in an order in which fixed paths come before paths with an id, for every method (APG-06)."""

from collections.abc import Sequence

from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.routing import BaseRoute, Route
from starlette.types import Receive, Scope, Send


def with_other_methods(routes: Sequence[BaseRoute]) -> list[BaseRoute]:
    """The routes grouped by their paths; each group ends with the answer to all other methods.

    Without it `DELETE /jobs/status-counts` would be taken for the removal of a job with this id.
    """
    by_path: dict[str, list[APIRoute]] = {}
    for route in routes:
        assert isinstance(route, APIRoute)
        by_path.setdefault(route.path_format, []).append(route)
    ordered: list[BaseRoute] = []
    for path in sorted(by_path, key=_has_parameters):
        same = by_path[path]
        methods = {method for route in same for method in route.methods or ()}
        ordered += [*same, Route(same[0].path, _OtherMethods(methods), include_in_schema=False)]
    return ordered


def _has_parameters(path: str) -> tuple[bool, ...]:
    return tuple("{" in segment for segment in path.split("/"))


class _OtherMethods:
    """Answers 405 and names the methods of the path."""

    def __init__(self, methods: set[str]) -> None:
        self._allow = ", ".join(sorted(methods))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        raise HTTPException(405, headers={"Allow": self._allow})
