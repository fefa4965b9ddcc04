"""A small news site to walk, a source that follows its links, and what was counted for the source."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from tests.support.newsroom import Answer, Engine
from tests.support.prose import prose

from outrider.sources.model import Mode, Source
from outrider.sources.source_changes import read_changes
from outrider.watch.source_service import SourceService

QUARTER = timedelta(minutes=15, seconds=1)

STORY = "/news/2024/05/17/the-council-agrees-on-a-bridge"

OTHER_STORY = "/news/2024/05/18/the-bridge-is-too-short"


def article(about: str, links: Sequence[str] = ()) -> Answer:
    body = "".join(f"<p>{prose(f'{about} {n}', 60)}.</p>" for n in range(4))
    anchors = "".join(f'<a href="{link}">{about}</a>' for link in links)
    return html_page(f"<title>{about}</title><article><h1>{about}</h1>{body}{anchors}</article>")


def front(links: Sequence[str]) -> Answer:
    headlines = (f'<h3><a href="{link}">Read {link}</a></h3>' for link in links)
    return html_page(f"<title>Front</title>{''.join(headlines)}")


def html_page(body: str) -> Answer:
    return Answer(
        body=f"<!doctype html><html lang=en>{body}</html>".encode(), headers={"Content-Type": "text/html"}
    )


async def watch(engine: Engine, url: str, mode: Mode = Mode.SPIDER, **said: Any) -> Source:
    changes = read_changes({"url": url, "mode": mode.value, **said}).checked()
    settled = await engine.run(lambda db: SourceService(engine.context.frontier).add(db, changes))
    return settled.source


async def counters(engine: Engine, source_id: int) -> dict[str, int]:
    rows = await engine.rows(
        "SELECT name, sum(value)::int AS value FROM counter WHERE source_id = $1 GROUP BY name", source_id
    )
    return {row["name"]: row["value"] for row in rows}
