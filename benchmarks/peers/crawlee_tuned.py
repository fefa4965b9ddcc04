"""Crawlee on uvloop, all in memory, without sessions, with selectolax to read the pages.

python crawlee_tuned.py OUTPUT ORIGIN…
"""

import json
import logging
import sys
from pathlib import Path
from typing import TextIO
from urllib.parse import urljoin, urlsplit

import uvloop
from crawlee import ConcurrencySettings
from crawlee.crawlers import HttpCrawler, HttpCrawlingContext
from crawlee.storage_clients import MemoryStorageClient
from selectolax.lexbor import LexborHTMLParser

OUTPUT, *ORIGINS = sys.argv[1:]
HOSTS = {urlsplit(origin).netloc for origin in ORIGINS}


async def main(output: TextIO) -> None:
    logging.disable()
    crawler = HttpCrawler(
        respect_robots_txt_file=True,
        max_request_retries=0,
        retry_on_blocked=False,
        use_session_pool=False,
        storage_client=MemoryStorageClient(),
        configure_logging=False,
        concurrency_settings=ConcurrencySettings(
            min_concurrency=40, desired_concurrency=40, max_concurrency=80
        ),
    )
    seeds = [f"{origin}/" for origin in ORIGINS]
    seen = set(seeds)

    @crawler.router.default_handler
    async def handle(context: HttpCrawlingContext) -> None:
        url, tree = context.request.url, LexborHTMLParser(await context.http_response.read())
        links = [urljoin(url, link.attributes["href"]) for link in tree.css("a[href]")]
        title = tree.css_first("title").text()
        page = {"url": url, "title": title, "text": tree.body.text(), "links": links}
        output.write(json.dumps(page) + "\n")
        new = [link for link in dict.fromkeys(links) if link not in seen]
        seen.update(new)
        await context.add_requests([link for link in new if urlsplit(link).netloc in HOSTS])

    await crawler.run(seeds)


if __name__ == "__main__":
    with Path(OUTPUT).open("w") as file:
        uvloop.run(main(file))
