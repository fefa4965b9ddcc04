"""Links of the OpenAPI description: from the answer that creates an object to the operations on it. Pure."""

import re
from typing import Any

_PARAMETER = re.compile(r"{(\w+)}")

Description = dict[str, Any]


def add_links(made: Description, path: str, status: int, pointer: str) -> None:
    """Link the operation that creates an object with every operation on one such object.

    `pointer` says where the answer has the id of the new object. Other parameters of the path are those of
    the request.
    """
    outer = set(_PARAMETER.findall(path))
    links: Description = {}
    for other, operations in made["paths"].items():
        own = [name for name in _PARAMETER.findall(other) if name not in outer]
        if len(own) != 1 or not other.startswith(f"{path}/{{{own[0]}}}"):
            continue
        parameters = {name: f"$request.path.{name}" for name in sorted(outer)}
        parameters[own[0]] = f"$response.body#{pointer}"
        for operation in operations.values():
            links[operation["operationId"]] = {
                "operationId": operation["operationId"],
                "parameters": parameters,
                "description": operation["summary"],
            }
    if not links:
        raise TypeError(f"no operation takes what POST {path} creates")
    made["paths"][path]["post"]["responses"][str(status)]["links"] = links
