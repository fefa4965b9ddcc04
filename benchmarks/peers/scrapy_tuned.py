"""Scrapy with everything off that these pages do not need, on uvloop, with selectolax to read them.

python scrapy_tuned.py OUTPUT ORIGIN…
"""

import gc
import json
import logging
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import TextIO
from urllib.parse import urljoin, urlsplit

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.http import Response
from scrapy.settings import default_settings as usual
from selectolax.lexbor import LexborHTMLParser

OUTPUT, *ORIGINS = sys.argv[1:]
HOSTS = {urlsplit(origin).netloc for origin in ORIGINS}
KEPT = ("RobotsTxtMiddleware", "UserAgentMiddleware")

SETTINGS = {
    "ROBOTSTXT_OBEY": True,
    "CONCURRENT_REQUESTS": 80,
    # One task a page in place of a hundred that find nothing to do.
    "CONCURRENT_ITEMS": 1,
    "ASYNCIO_EVENT_LOOP": "uvloop.Loop",
    "STATS_CLASS": "scrapy.statscollectors.DummyStatsCollector",
    "LOG_ENABLED": False,
    # None is Scrapy's word for off.
    "EXTENSIONS": dict.fromkeys(usual.EXTENSIONS_BASE),
    "SPIDER_MIDDLEWARES": dict.fromkeys(usual.SPIDER_MIDDLEWARES_BASE),
    "DOWNLOADER_MIDDLEWARES": {
        name: None for name in usual.DOWNLOADER_MIDDLEWARES_BASE if not name.endswith(KEPT)
    },
}


class Pages(scrapy.Spider):
    name = "pages"

    def __init__(self, output: TextIO) -> None:
        super().__init__()
        self.output = output
        self.seen = {f"{origin}/" for origin in ORIGINS}

    async def start(self) -> AsyncIterator[scrapy.Request]:
        for url in sorted(self.seen):
            yield scrapy.Request(url, dont_filter=True)

    def parse(self, response: Response) -> Iterator[scrapy.Request]:
        tree = LexborHTMLParser(response.body)
        links = [urljoin(response.url, link.attributes["href"]) for link in tree.css("a[href]")]
        title = tree.css_first("title").text()
        page = {"url": response.url, "title": title, "text": tree.body.text(), "links": links}
        self.output.write(json.dumps(page) + "\n")
        for url in links:
            if url not in self.seen:
                self.seen.add(url)
                if urlsplit(url).netloc in HOSTS:
                    yield scrapy.Request(url, dont_filter=True)


if __name__ == "__main__":
    gc.set_threshold(50_000)
    logging.disable()  # with LOG_ENABLED off records are still made
    with Path(OUTPUT).open("w") as file:
        process = CrawlerProcess(SETTINGS)
        process.crawl(Pages, output=file)
        process.start()
