"""A large page is read beside the loop: the lanes of other hosts go on meanwhile."""

import asyncio

from tests.support.site import html

from outrider.crawl.pages import handler
from outrider.extract.scan import scan

WORDS = "<p>some words</p>"


async def test_other_lanes_go_on_while_a_large_page_is_read(crawl, serve, monkeypatch):
    """The reading of the large page ends only once the loop has turned."""
    loop, turned = asyncio.get_running_loop(), []

    def held(body, *rest):
        if len(body) > handler.LARGE:
            asyncio.run_coroutine_threadsafe(asyncio.sleep(0), loop).result(timeout=10)
            turned.append(len(body))
        return scan(body, *rest)

    monkeypatch.setattr(handler, "scan", held)
    site = serve(
        {"/": html('<a href="/large">large</a>'), "/large": html(WORDS * (handler.LARGE // len(WORDS) + 1))}
    )
    await crawl.seed(site.url)
    await crawl.run()

    assert len(turned) == 1
    assert set((await crawl.states()).values()) == {"fetched"}
