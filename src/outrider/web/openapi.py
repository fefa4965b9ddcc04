"""The OpenAPI description: roles, errors, results and examples of every operation (APG-04)."""

from collections.abc import Iterator, Mapping
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from outrider.auth.model import Role
from outrider.web.access import Access
from outrider.web.answers import POSITION_HEADER
from outrider.web.errors import code_of
from outrider.web.examples import example_of
from outrider.web.openapi_links import add_links
from outrider.web.route import ApiRoute
from outrider.web.router import ERRORS
from outrider.web.schemas import REF, Schemas

_ERROR = {
    "type": "object",
    "description": "Why a request failed.",
    "properties": {
        "error": {"type": "string", "description": "One sentence."},
        "code": {"type": "string", "description": "One word for programs."},
        "fields": {
            "type": "object",
            "additionalProperties": {"type": "string"},
            "description": "What is wrong with each field of the body.",
        },
    },
    "required": ["error", "code"],
}
_NEEDS = {
    Role.ANONYMOUS: "Everyone may call it.",
    Role.USER: "Needs a user or an administrator.",
    Role.ADMIN: "Needs an administrator.",
    Role.SERVICE: "Needs the internal secret.",
    Role.SITE: "Needs the key of the site.",
}


def describe(app: FastAPI) -> dict[str, Any]:
    """The description of the application, made once."""
    if app.openapi_schema is None:
        app.openapi_schema = _described(app)
    return app.openapi_schema


def api_routes(app: FastAPI) -> Iterator[ApiRoute]:
    """The routes of the API, aliases included."""
    return (route for route in app.routes if type(route) is ApiRoute)


def _described(app: FastAPI) -> dict[str, Any]:
    made = get_openapi(
        title=app.title,
        version=app.version,
        summary=app.summary,
        routes=app.routes,
        description="Errors are `{error, code}`. Times are RFC 3339 in UTC. Unknown parameters are refused.",
    )
    schemas = Schemas()
    for route in api_routes(app):
        if route.include_in_schema:
            for method in route.methods or ():
                _complete(made["paths"][route.path_format][method.lower()], route, method, schemas)
    for route in api_routes(app):
        if route.include_in_schema and (pointer := getattr(route.endpoint, "creates", "")):
            add_links(made, route.path_format, route.status_code or 200, pointer)
    components = made.setdefault("components", {})
    known = components.setdefault("schemas", {})
    for unused in ("HTTPValidationError", "ValidationError"):
        known.pop(unused, None)
    known.update(schemas.named, Error=_ERROR)
    made = _with_short_names(made)
    components, known = made["components"], made["components"]["schemas"]
    for path in made["paths"].values():
        for operation in path.values():
            _add_examples(operation, known)
    components["securitySchemes"] = {
        "bearer": {"type": "http", "scheme": "bearer"},
        "session": {"type": "apiKey", "in": "cookie", "name": "outrider_session"},
    }
    return made


def _with_short_names(made: dict[str, Any]) -> dict[str, Any]:
    """The description with the names that generated clients have: `Job` for the type `JobShape`."""
    schemas = made["components"]["schemas"]
    short = {name: name.removesuffix("Shape") for name in schemas if name.endswith("Shape")}
    if taken := sorted(short.keys() & {name for name in short if short[name] in schemas}):
        raise TypeError(f"the description has two schemas of one name: {', '.join(taken)}")
    renamed = {REF.format(old): REF.format(new) for old, new in short.items()}
    made["components"]["schemas"] = {
        short.get(name, name): _without_titles(each) for name, each in schemas.items()
    }
    described: dict[str, Any] = _replace_refs(made, renamed)
    return described


def _without_titles(schema: Any) -> Any:
    """The schema without the titles that pydantic makes from names: generators would prefer them."""
    if isinstance(schema, list):
        return [_without_titles(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: each if key in _VALUES else _without_titles(each)
        for key, each in schema.items()
        if key != "title" or not isinstance(each, str)
    }


def _replace_refs(value: Any, renamed: Mapping[str, str]) -> Any:
    if isinstance(value, dict):
        return {
            key: renamed.get(each, each) if key == "$ref" else _replace_refs(each, renamed)
            for key, each in value.items()
        }
    return [_replace_refs(each, renamed) for each in value] if isinstance(value, list) else value


def _complete(operation: dict[str, Any], route: ApiRoute, method: str, schemas: Schemas) -> None:
    access = route.access
    operation["description"] = f"{operation.get('description', '')}\n\n{_NEEDS[access.role]}".strip()
    operation["x-role"] = access.role.value
    operation["security"] = [] if access.role is Role.ANONYMOUS else [{"bearer": []}, {"session": []}]
    if method == "POST":
        operation.setdefault("parameters", []).append(_IDEMPOTENCY_KEY)
    responses = operation["responses"]
    for code in _possible_errors(access, route, method):
        responses.setdefault(str(code), {"description": ERRORS[code]})
    for code, response in responses.items():
        if int(code) >= 400:
            response["content"] = {"application/json": {"schema": {"$ref": REF.format("Error")}}}
    result = getattr(route.endpoint, "result", None)
    success = responses.get(str(route.status_code))
    if success is not None:
        if access.has_position:
            success["headers"] = {POSITION_HEADER: _POSITION}
        success.pop("content", None)
        given = getattr(route.endpoint, "example", None)
        if result is not None:
            success["content"] = {
                "application/json": {
                    "schema": schemas.of_result(result, has_position=access.has_position),
                    "example": given,
                }
            }
        elif media := getattr(route.endpoint, "media", ()):
            success["content"] = {
                each: {"schema": {} if each == "application/json" else _text_or_bytes(each)} for each in media
            }
            for content in success["content"].values():
                content["example"] = given or "…"


def _text_or_bytes(media: str) -> dict[str, Any]:
    return {"type": "string"} if media.startswith("text/") else {"type": "string", "format": "binary"}


def _add_examples(operation: dict[str, Any], named: dict[str, Any]) -> None:
    """Give every body of a request or a result an example, and every error its shape."""
    contents = [operation.get("requestBody", {}).get("content", {})]
    contents += [each.get("content", {}) for each in operation["responses"].values()]
    for content in contents:
        for media in content.values():
            if media.get("example") is None and media.get("schema"):
                media["example"] = example_of(media["schema"], named)
    for code, response in operation["responses"].items():
        if int(code) >= 400:
            body = {"error": response["description"], "code": code_of(int(code))}
            response["content"]["application/json"]["example"] = body


def _possible_errors(access: Access, route: ApiRoute, method: str) -> Iterator[int]:
    yield from (400, 414, 429, 431, 503)
    if access.role is not Role.ANONYMOUS:
        yield from (401, 403)
    if "{" in route.path:
        yield 404
    if method != "GET":
        yield from (409, 412, 413)
    yield 422


_VALUES = frozenset({"example", "examples", "default", "const", "enum"})  # no schemas in them
_POSITION = {
    "schema": {"type": "string"},
    "required": True,
    "description": "A stream that begins after this position misses no change of the answer.",
}
_IDEMPOTENCY_KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"},
    "description": "A request with the same key and body is carried out once; repeats get the same answer.",
}
