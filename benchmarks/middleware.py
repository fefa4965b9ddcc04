"""What the redirect middleware adds to a request, beside the same Starlette application without it."""

import asyncio
import gc
import time
import tracemalloc
from typing import Any

from benchmarks import arrival
from benchmarks.report import Report
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Route

from outrider.redirects.asgi import RedirectMiddleware
from outrider.redirects.serving import ServingTable
from outrider.sites.paths import PathRules

REDIRECTS = 100_000
REQUESTS = 20_000
AGENT = b"Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


def report(rounds: int) -> Report:
    """Plain and guarded in turns, so that both meet the same noise; the best round of each counts."""
    table, megabytes = _table()
    plain = Starlette(routes=[Route("/products/{name}", _page)])
    guarded = RedirectMiddleware(plain, site="bench", database_url="postgresql:///none")
    guarded._follower.table = table
    guarded._follower._thread = object()  # type: ignore[assignment]  # nothing is followed or reported here
    found: dict[str, list[float]] = {"plain": [], "guarded": [], "redirected": []}
    for _ in range(max(rounds, 3)):
        found["plain"].append(asyncio.run(_us(plain, "/products/red-shoe")))
        found["guarded"].append(asyncio.run(_us(guarded, "/products/red-shoe")))
        found["redirected"].append(asyncio.run(_us(guarded, "/old/product-77777")))
        guarded.service.recorder.__init__()  # type: ignore[misc]
    best = {name: min(times) for name, times in found.items()}
    queries = getattr(guarded.service.feed, "queries", 0)
    added = best["guarded"] - best["plain"]
    figures = {"redirects": REDIRECTS, "added_us": round(added, 2), "megabytes": round(megabytes, 1)}
    arrivals = arrival.seconds_to_all()
    figures |= {f"arrival_s by {of}": round(max(times), 3) for of, times in arrivals.items()}
    figures |= {f"{name}_us": round(value, 2) for name, value in best.items()} | {"database_calls": queries}
    return Report(
        "middleware",
        f"Redirect middleware with {REDIRECTS:,} redirects, {REQUESTS:,} requests a round",
        ["", "CPU µs a request", "added µs", "table MB", "database calls"],
        [
            ["Starlette", f"{best['plain']:.1f}", "", "", ""],
            [
                "with the middleware",
                f"{best['guarded']:.1f}",
                f"{added:.1f}",
                f"{megabytes:.1f}",
                str(queries),
            ],
            ["redirected", f"{best['redirected']:.1f}", "", "", ""],
        ],
        [
            "Best of the rounds, CPU time of one process without a network. A redirect needs no application.",
            " ".join(arrival.sentence(of, times) for of, times in arrivals.items()),
        ],
        [figures],
    )


def _table() -> tuple[ServingTable, float]:
    gc.collect()
    tracemalloc.start()
    rows = (
        (f"/old/product-{n}", f"/products/a-title-of-usual-length-{n}", 301 if n % 10 else 302)
        for n in range(REDIRECTS)
    )
    table = ServingTable(PathRules(), 1, rows)
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return table, size / 1e6


async def _page(request: Request) -> HTMLResponse:
    return HTMLResponse("<p>page</p>")


async def _us(app: Any, path: str) -> float:
    headers = [(b"host", b"shop.test"), (b"accept", b"text/html"), (b"user-agent", AGENT)]

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        pass

    begun = time.process_time()
    for _ in range(REQUESTS):
        scope = {
            "type": "http",
            "method": "GET",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "root_path": "",
            "scheme": "http",
            "http_version": "1.1",
            "server": ("shop.test", 80),
            "client": ("127.0.0.1", 1),
            "headers": headers,
        }
        await app(scope, receive, send)
    return (time.process_time() - begun) / REQUESTS * 1e6
