"""`/api/docs`: the description of the API for people. All its files come from this server."""

from html import escape

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from outrider.web.assets import address_of

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Outrider API</title>
<link rel="stylesheet" href="{style}">
</head>
<body>
<main id="api-docs" data-description="{description}"></main>
<noscript>This page needs JavaScript. The description itself is at
<a href="{description}">{description}</a>.</noscript>
<script src="{bundle}"></script>
<script src="{script}"></script>
</body>
</html>
"""


async def show_docs(request: Request) -> Response:
    """The page. It needs no session: the description holds no data."""
    root = request.scope.get("root_path", "")
    return HTMLResponse(
        _PAGE.format(
            style=escape(root + address_of("swagger-ui.css")),
            bundle=escape(root + address_of("swagger-ui.js")),
            script=escape(root + address_of("api-docs.js")),
            description=escape(f"{root}/api/v1/openapi.json"),
        )
    )
