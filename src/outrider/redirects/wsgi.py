"""Redirects for any WSGI application: Flask, Django, Bottle and others."""

from collections.abc import Callable, Iterable
from http import HTTPStatus
from typing import Any

from outrider.redirects.middleware import NOT_FOUND, OK, MiddlewareFigures, RedirectService

Environment = dict[str, Any]
StartResponse = Callable[..., Any]
WsgiApplication = Callable[[Environment, StartResponse], Iterable[bytes]]


class WsgiRedirectMiddleware:
    """Answers requests for moved pages, and passes all others on."""

    def __init__(
        self,
        app: WsgiApplication,
        site: str,
        database_url: str | None = None,
        api_url: str | None = None,
        key: str | None = None,
        bot_words: tuple[str, ...] = (),
    ) -> None:
        self.app = app
        self.service = RedirectService(site, database_url, api_url, key, bot_words)

    def figures(self) -> MiddlewareFigures:
        """What the middleware did since its start."""
        return self.service.figures()

    def __call__(self, environ: Environment, start_response: StartResponse) -> Iterable[bytes]:
        if not self.service.follower.is_started:
            self.service.follower.start()
        method = environ["REQUEST_METHOD"]
        if method not in ("GET", "HEAD"):
            return self.app(environ, start_response)
        path = (
            (environ.get("SCRIPT_NAME", "") + environ.get("PATH_INFO", ""))
            .encode("latin-1")
            .decode(errors="replace")
        )
        found = self.service.answer(path or "/", environ.get("QUERY_STRING", ""))
        if found is not None:
            headers = [("Content-Length", "0")]
            if found.location is not None:
                headers.append(("Location", found.location))
            start_response(f"{found.status} {HTTPStatus(found.status).phrase}", headers)
            return [b""]
        if method == "HEAD":
            return self.app(environ, start_response)

        def watch(status: str, headers: list[tuple[str, str]], *more: Any) -> Any:
            self._note(environ, path, int(status[:3]), headers)
            return start_response(status, headers, *more)

        return self.app(environ, watch)

    def _note(self, environ: Environment, path: str, status: int, headers: list[tuple[str, str]]) -> None:
        if status == OK:
            self.service.viewed(path, _header(headers, "content-type"), _text(environ, "HTTP_USER_AGENT"))
        elif status == NOT_FOUND:
            self.service.missed(path, _text(environ, "HTTP_REFERER"))
        elif 300 < status < 400:
            self.service.redirected(path, _header(headers, "location"))


def _header(headers: list[tuple[str, str]], wanted: str) -> bytes:
    for name, value in headers:
        if name.lower() == wanted:
            return value.encode("latin-1", "replace")
    return b""


def _text(environ: Environment, name: str) -> bytes:
    return str(environ.get(name, "")).encode("latin-1", "replace")
