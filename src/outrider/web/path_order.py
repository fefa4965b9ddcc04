"""Brings routes in an order in which fixed paths come before paths with an id, for every method (APG-06)."""

import re
from collections.abc import Sequence

from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.routing import BaseRoute, Route
from starlette.types import Receive, Scope, Send

_PARAMETER = re.compile(r"\{[^}]*\}")


def with_other_methods(routes: Sequence[BaseRoute]) -> list[BaseRoute]:
    """The routes grouped by their paths; each group ends with the answer to all other methods.

    Without it `DELETE /jobs/status-counts` would be taken for the removal of a job with this id.
    """
    by_shape: dict[str, list[APIRoute]] = {}
    for route in routes:
        assert isinstance(route, APIRoute)
        by_shape.setdefault(_PARAMETER.sub("{}", route.path), []).append(route)
    # A parameter of several segments takes only its own methods: below it there are other paths.
    deep = [route for same in by_shape.values() for route in same if ":path}" in route.path]
    ordered: list[BaseRoute] = [*deep]
    for shape in sorted(by_shape, key=_has_parameters):
        single = [route for route in by_shape[shape] if ":path}" not in route.path]
        if single:
            above = [route for route in deep if route.path_regex.match(shape)]
            others = Route(single[0].path, _OtherMethods([*single, *above]), include_in_schema=False)
            ordered += [*single, others]
    return ordered


def _has_parameters(shape: str) -> tuple[bool, ...]:
    return tuple("{" in segment for segment in shape.split("/"))


class _OtherMethods:
    """Answers 405 and names the methods of the path."""

    def __init__(self, routes: Sequence[APIRoute]) -> None:
        self._allow = ", ".join(sorted({method for route in routes for method in route.methods or ()}))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        raise HTTPException(405, headers={"Allow": self._allow})
