"""Sites to crawl and somebody to crawl them: real PostgreSQL, real HTTP on loopback."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.support.make import Operator
from tests.support.site import Plan, Site
from tests.support.worker import Crawl

from outrider.frontier import backoff


@pytest.fixture(autouse=True)
def _no_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Retries within a visit follow at once; how long they wait is tested as a table elsewhere."""
    monkeypatch.setattr(backoff, "ROBOTS_WAITS", (timedelta(0),))
    monkeypatch.setattr(backoff, "TRANSPORT_WAITS", (timedelta(0),))
    monkeypatch.setattr(backoff, "JITTER", timedelta(0))


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Site]]:
    """`serve({"/a": answer, …})` starts a site; a list of answers is given in turn."""
    with ExitStack() as running:

        def begin(answers: dict[str, Any] | None = None, **plan: Any) -> Site:
            listed = {
                path: answer if isinstance(answer, list) else [answer]
                for path, answer in (answers or {}).items()
            }
            folder = tmp_path / f"site{len(list(tmp_path.iterdir()))}"
            return running.enter_context(Site.start(folder, Plan(**({"pages": 0} | plan), answers=listed)))

        yield begin


@pytest.fixture
async def operator(database: str) -> AsyncIterator[Operator]:
    """Somebody at the frontier's counter."""
    operator = await Operator.enter(database)
    yield operator
    await operator.connection.close()


@pytest.fixture
async def crawl(database: str, operator: Operator) -> Crawl:
    """Crawls on `database`. Hosts that were leased before without a request wait for nothing there."""
    await operator.run(lambda db: db.execute("ALTER TABLE host ALTER delay_ms SET DEFAULT 0"))
    return Crawl(database, operator)
