"""How often an entry failed stays on record, until it succeeds or somebody asks for it anew."""

import pytest
from tests.support.site import Answer, html

DOWN = Answer(status=500)


@pytest.mark.parametrize(
    ("last", "shown"),
    [
        pytest.param(DOWN, ("dead", "max_retries:http_500", 3), id="given up"),
        pytest.param(Answer(status=404), ("dead", "not_found", 2), id="gone at last"),
        pytest.param(html("up"), ("fetched", None, 0), id="up again"),
    ],
)
async def test_the_dead_keep_the_attempts_they_took(crawl, serve, last, shown):
    site = serve({"/a": [DOWN, DOWN, last]})
    await crawl.seed(site.url + "a")
    for _ in range(3):
        await crawl.run()
        await crawl.forget_waits()

    row = await crawl.row(site.url + "a")
    assert (row["status"], row["last_error"], row["retry_count"]) == shown
