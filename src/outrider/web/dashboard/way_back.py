"""The page of ours to which a form leads back. Addresses of other servers never come out of here."""

from starlette.requests import Request

ASKED_FROM = "asked_from"  # names the page before a question, whose own address only takes forms


def own_path(target: str) -> str:
    """A page of this server; anything else, such as //evil.example, becomes the overview."""
    is_ours = target.startswith("/") and not target.startswith(("//", "/\\")) and target.isprintable()
    return target if is_ours and "\\" not in target else "/overview"


def back_path(request: Request, given: str, default: str) -> str:
    """The page of ours to go back to, with its filters; anything else becomes `default`."""
    path = given.removeprefix(request.scope.get("root_path", ""))
    return own_path(path) if path.startswith(default) else default


def came_from(request: Request, otherwise: str) -> str:
    """The page of ours whose form was sent, without the prefix of a proxy; else another page."""
    if asked_from := request.query_params.get(ASKED_FROM):
        return own_path(asked_from)
    return _without_base(request, request.headers.get("referer", ""), otherwise)


def shown_page(request: Request, otherwise: str) -> str:
    """The page of ours that asks for a part of itself, as htmx names it; else another page."""
    return _without_base(request, request.headers.get("hx-current-url", ""), otherwise)


def _without_base(request: Request, page: str, otherwise: str) -> str:
    base = str(request.base_url).rstrip("/")
    return own_path(page.removeprefix(base)) if page.startswith(f"{base}/") else otherwise
