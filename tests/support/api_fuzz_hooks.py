"""Hooks of Schemathesis for scenarios: what is created is usable, so that later steps can act on it.

Random texts are hardly ever an address or the name of a source. Only scenarios use the hooks; the other
phases send whatever the description allows, and what it does not allow.
"""

from itertools import count
from typing import Any

import schemathesis

_NUMBERS = count(1)
_KEPT = ("labels", "priority", "enabled", "mode", "role", "status", "read_only", "adaptive_scheduling")


@schemathesis.hook
def map_body(context: Any, body: Any) -> Any:
    """The body with the values that have to mean something; the others stay."""
    number = next(_NUMBERS)
    wanted: dict[str, dict[str, Any]] = {
        "post_source": {"url": f"https://made-{number}.test/", "name": f"made {number}"},
        "post_job": {"source_id": "blatt", "interval_minutes": number % 500 + 1},
        "post_user": {"name": f"person{number}", "password": f"a long password {number}"},
        "post_token": {"name": f"token {number}"},
        "post_site": {"name": f"site-{number}", "base_url": f"https://site-{number}.test/"},
        "post_site_redirect": {"from_path": f"/old-{number}", "to": f"/new-{number}"},
    }
    operation = context.operation.definition.raw.get("operationId")
    if operation not in wanted or not isinstance(body, dict):
        return body
    kept = {name: value for name, value in body.items() if name in _KEPT}
    return kept | wanted[operation]
