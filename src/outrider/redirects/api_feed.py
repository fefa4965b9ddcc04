"""Follows the redirects of a site through the API: an export with an ETag, and reports in batches."""

import asyncio
import json
import time
from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime
from http.client import HTTPResponse
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from outrider.errors import Misconfigured, Unavailable
from outrider.redirects.recorder import Recorder, WaitingReport
from outrider.redirects.serving import Row, ServingTable
from outrider.sites.paths import PathRules

TIMEOUT_S = 10.0
POLL_S = 0.5  # a change arrives within a second
REPORT_S = 1.0
STOP_S = 1.0  # longest wait of a stop for the answer to a report that is under way
LARGEST_ANSWER = 256_000_000  # bytes
NOT_MODIFIED = 304


class _NoRedirects(HTTPRedirectHandler):
    """The key of a site is sent to the API only, never to where it redirects."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


class ApiFeed:
    """Asks the API from the thread of the follower, with the standard library alone."""

    def __init__(self, api_url: str, site: str, key: str) -> None:
        parts = urlsplit(api_url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise Misconfigured("api_url is an address such as https://outrider.example")
        base = api_url.rstrip("/").removesuffix("/api/v1")
        self._base = f"{base}/api/v1/sites/{quote(site, safe='')}"
        self._key = key
        self._opener = build_opener(_NoRedirects())
        self._etag: str | None = None
        self._looked_at = self._reported_at = 0.0

    async def open(self) -> None:
        """There is no connection to keep. The next report is sent at once."""
        self._reported_at = 0.0

    async def refresh(self, table: ServingTable | None) -> ServingTable | None:
        """Ask for the table, unless it is the same."""
        if table is not None and time.monotonic() - self._looked_at < POLL_S:
            return table
        etag = self._etag if table is not None else None
        status, headers, body = await asyncio.to_thread(
            self._call, "GET", "/redirects/export?format=json", None, {"If-None-Match": etag} if etag else {}
        )
        self._looked_at = time.monotonic()
        if status == NOT_MODIFIED:
            return table
        fresh = _table(body)
        self._etag = headers.get("ETag")
        return fresh

    async def report(self, report: WaitingReport, recorder: Recorder) -> None:
        """Send a report, each kind to its address; once a second, as every request counts for the site."""
        now = time.monotonic()
        if now - self._reported_at < REPORT_S:
            return
        self._reported_at = now
        misses = recorder.due_misses(report)
        hits, views, referrers = Counter(report.hits), Counter(report.views), dict(report.referrers)
        if hits:
            await self._send("/redirects/hits", {"hits": hits}, report.hits, hits)
        if views:
            day = datetime.now(UTC).date().isoformat()
            await self._send("/views", {"day": day, "views": views}, report.views, views)
        recorder.reported(report, misses)
        if misses:
            paths = [
                {"path": path, "count": count, "referrer": referrers.get(path)}
                for path, count in misses.items()
            ]
            await self._send("/not-found", {"paths": paths}, report.misses, misses)

    async def wait(self, seconds: float) -> None:
        """Return after so many seconds."""
        await asyncio.sleep(min(seconds, POLL_S))

    async def close(self) -> None:
        """There is no connection to close."""

    async def _send(
        self, path: str, value: Mapping[str, Any], waiting: Counter[str], counts: Counter[str]
    ) -> None:
        """Send counts, and put them back if the API did not take them.

        A stop waits for the answer to a call that is under way: counts that are refused go into the last
        report. Without an answer in time they are not sent a second time.
        """
        for name in counts:
            waiting.pop(name, None)
        body = json.dumps(value).encode()
        call = asyncio.create_task(asyncio.to_thread(self._call, "POST", path, body, {}))
        try:
            await asyncio.shield(call)
        except asyncio.CancelledError:
            await asyncio.wait([call], timeout=STOP_S)
            if call.done() and call.exception() is not None:
                waiting.update(counts)
            raise
        except Exception:
            waiting.update(counts)
            raise

    def _call(
        self, method: str, path: str, body: bytes | None, more: Mapping[str, str]
    ) -> tuple[int, Mapping[str, str], bytes]:
        headers = {"Authorization": f"Bearer {self._key}", "Content-Type": "application/json", **more}
        request = Request(self._base + path, data=body, headers=headers, method=method)
        try:
            with self._opener.open(request, timeout=TIMEOUT_S) as answer:
                return answer.status, answer.headers, _bounded(answer)
        except HTTPError as error:
            if error.code == NOT_MODIFIED:
                return NOT_MODIFIED, {}, b""
            raise Unavailable(f"the API answered {error.code} to {method} {path}") from None


def _bounded(answer: HTTPResponse) -> bytes:
    body = answer.read(LARGEST_ANSWER + 1)
    if len(body) > LARGEST_ANSWER:
        raise Unavailable(f"the answer of the API has more than {LARGEST_ANSWER:,} bytes")
    return body


def _table(body: bytes) -> ServingTable:
    try:
        found = json.loads(body)
        rules = found["rules"]
        rows: list[Row] = [(row["from_path"], row["to"], row["status"]) for row in found["redirects"]]
        made = PathRules(bool(rules["lowercase"]), bool(rules["strip_slash"]), tuple(rules["exempt"]))
        return ServingTable(made, int(found["version"]), rows, tuple(map(str, found.get("bot_words", ()))))
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise Unavailable(f"the answer of the API is no redirect table: {error!r}") from None
