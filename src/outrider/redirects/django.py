"""Redirects as a Django middleware, for WSGI and ASGI alike.

MIDDLEWARE = ["outrider.redirects.django.DjangoRedirectMiddleware", …]
OUTRIDER_SITE = "shop"
OUTRIDER_DATABASE_URL = "postgresql://…"   # or OUTRIDER_API_URL and OUTRIDER_KEY
"""

from collections.abc import Awaitable, Callable
from inspect import iscoroutinefunction
from typing import Any

from asgiref.sync import markcoroutinefunction
from django.conf import settings  # type: ignore[import-untyped]
from django.http import HttpResponse  # type: ignore[import-untyped]

from outrider.redirects.middleware import NOT_FOUND, OK, RedirectService


class DjangoRedirectMiddleware:
    """Stands first in MIDDLEWARE, before what redirects by itself."""

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: Callable[[Any], Any]) -> None:
        self.get_response = get_response
        self.service = RedirectService(
            settings.OUTRIDER_SITE,
            getattr(settings, "OUTRIDER_DATABASE_URL", None),
            getattr(settings, "OUTRIDER_API_URL", None),
            getattr(settings, "OUTRIDER_KEY", None),
            tuple(getattr(settings, "OUTRIDER_BOT_WORDS", ())),
        )
        self._is_async = iscoroutinefunction(get_response)
        if self._is_async:
            markcoroutinefunction(self)

    def __call__(self, request: Any) -> Any:
        if self._is_async:
            return self._call_async(request)
        return self._before(request) or self._after(request, self.get_response(request))

    async def _call_async(self, request: Any) -> Any:
        answer: Awaitable[Any] | Any = self._before(request)
        return answer or self._after(request, await self.get_response(request))

    def _before(self, request: Any) -> Any:
        if not self.service.follower.is_started:
            self.service.follower.start()
        if request.method not in ("GET", "HEAD"):
            return None
        found = self.service.answer(request.path, request.META.get("QUERY_STRING", ""))
        if found is None:
            return None
        headers = {} if found.location is None else {"Location": found.location}
        return HttpResponse(status=found.status, headers=headers)

    def _after(self, request: Any, response: Any) -> Any:
        if request.method == "GET":
            if response.status_code == OK:
                agent = request.META.get("HTTP_USER_AGENT", "")
                self.service.viewed(request.path, _bytes(response.get("Content-Type", "")), _bytes(agent))
            elif response.status_code == NOT_FOUND:
                self.service.missed(request.path, _bytes(request.META.get("HTTP_REFERER", "")))
            elif 300 < response.status_code < 400:
                self.service.redirected(request.path, _bytes(response.get("Location", "")))
        return response


def _bytes(text: str) -> bytes:
    return text.encode("latin-1", "replace")
