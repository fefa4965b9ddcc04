"""Answers on loopback as the server of linkchecker's tests does: files, any status, redirects."""

import http
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from benchmarks.published_cases import host_of_status

_STATUSES = {status.value for status in http.HTTPStatus}
_WITHOUT_BODY = (http.HTTPStatus.NO_CONTENT, http.HTTPStatus.NOT_MODIFIED)


class _Handler(SimpleHTTPRequestHandler):
    extensions_map = SimpleHTTPRequestHandler.extensions_map | {".xhtml": "application/xhtml+xml"}

    def do_GET(self) -> None:
        self._answer(with_body=True)

    def do_HEAD(self) -> None:
        self._answer(with_body=False)

    def _answer(self, *, with_body: bool) -> None:
        self.path = self.path.partition("?")[0]
        if "/status/" in self.path:
            self._status(with_body)
        elif "redirect" in self.path:
            self._redirect()
        elif self.path.endswith("/"):
            self._listing(with_body)
        elif with_body:
            super().do_GET()
        else:
            super().do_HEAD()

    def _status(self, with_body: bool) -> None:
        asked = self.path.rpartition("/")[2]
        status = int(asked) if asked.isdecimal() and int(asked) in _STATUSES else 500
        self.send_response(status)
        self.end_headers()
        if with_body and status >= http.HTTPStatus.OK and status not in _WITHOUT_BODY:
            self.wfile.write(b"testcontent")

    def _redirect(self) -> None:
        to_file = "newscheme_file" in self.path
        self.send_response(http.HTTPStatus.FOUND)
        self.send_header("Location", "file:README.md" if to_file else self.path.replace("redirect", "newurl"))
        self.end_headers()

    def _listing(self, with_body: bool) -> None:
        """The same one for every folder."""
        self.send_response(http.HTTPStatus.OK)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        if with_body:
            self.wfile.write(b"<!doctype html><title>Listing</title><a href=example1.txt>example1.txt</a>")

    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def serving(folder: Path) -> Iterator[int]:
    """Serve the folder as localhost, and any status on a host of its own; gives the port of all."""
    with ExitStack() as running:
        port = running.enter_context(_listening("localhost", 0, folder))
        for status in _STATUSES:
            running.enter_context(_listening(host_of_status(status), port, folder))
        yield port


@contextmanager
def _listening(host: str, port: int, folder: Path) -> Iterator[int]:
    with ThreadingHTTPServer((host, port), partial(_Handler, directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join()
