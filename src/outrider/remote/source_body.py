"""Changes of a source as the body of a request. Pure."""

from typing import Any

from outrider.services.as_json import as_json
from outrider.sources.fields import FIELDS
from outrider.sources.source_changes import SourceChanges

_OWN = {"feed": "feeds", "sitemap": "sitemaps"}  # fields with other names in `SourceChanges`


def body_of(changes: SourceChanges) -> dict[str, Any]:
    """The fields that change. Null resets a field to its default."""
    body: dict[str, Any] = {}
    for name, field in FIELDS.items():
        if field.policy is not None:
            if field.policy in changes.policy.values:
                body[name] = as_json(changes.policy.values[field.policy])
            continue
        value = getattr(changes, _OWN.get(name, name))
        if value is None or (name in _OWN and not value):
            continue
        is_cleared = not value and field.cleared is not None and not isinstance(value, bool)
        body[name] = None if is_cleared else as_json(value)
    return body
