"""Examples made from JSON Schemas, for operations that give none of their own. Pure."""

from collections.abc import Mapping
from typing import Any

Schema = Mapping[str, Any]

_BY_FORMAT = {
    "date-time": "2026-01-31T12:00:00+00:00",
    "date": "2026-01-31",
    "uuid": "018f4e5c-7d1a-7c3e-9b2f-4a5d6e7f8091",
    "uri": "https://example.com/",
    "binary": "…",
}
_BY_NAME = {
    "url": "https://example.com/news",
    "urls": "https://example.com/news",
    "host": "example.com",
    "domain": "example.com",
    "name": "example",
    "username": "ada",
    "password": "correct horse battery",
    "labels": "press",
    "error_message": None,
}
_DEEPEST = 6


def example_of(schema: Schema, named: Mapping[str, Schema], name: str = "", depth: int = 0) -> Any:
    """A value that the schema describes; `named` are the schemas that it refers to."""
    for key in ("example", "const", "default"):
        if schema.get(key) is not None:
            return schema[key]
    for key in ("examples", "enum"):
        if schema.get(key):
            return schema[key][0]
    if "$ref" in schema:
        referred = schema["$ref"].rpartition("/")[2]
        return {} if depth > _DEEPEST else example_of(named[referred], named, name, depth + 1)
    for key in ("anyOf", "oneOf", "allOf"):
        if schema.get(key):
            return example_of(schema[key][0], named, name, depth)
    return _of_type(schema, named, name, depth)


def _of_type(schema: Schema, named: Mapping[str, Schema], name: str, depth: int) -> Any:
    match schema.get("type"):
        case "object":
            return {
                each: example_of(value, named, each, depth + 1)
                for each, value in schema.get("properties", {}).items()
            }
        case "array":
            return [example_of(schema.get("items", {}), named, name, depth + 1)] if depth <= _DEEPEST else []
        case "integer" | "number":
            return max(schema.get("minimum", schema.get("exclusiveMinimum", 0) + 1), 1)
        case "boolean":
            return False
        case "string":
            return _text(schema, name)
    return None


def _text(schema: Schema, name: str) -> str:
    if schema.get("format") in _BY_FORMAT:
        return _BY_FORMAT[schema["format"]]
    if ":[0-9a-f]{32}" in schema.get("pattern", ""):
        return "1234567890123456789:0123456789abcdef0123456789abcdef"
    return str(_BY_NAME.get(name) or "…")
