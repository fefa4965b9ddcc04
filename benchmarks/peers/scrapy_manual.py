"""Scrapy as its manual writes spiders, with the settings of its page on broad crawls.

python scrapy_manual.py OUTPUT ORIGIN…
"""

import sys
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.http import TextResponse

OUTPUT, *ORIGINS = sys.argv[1:]

SETTINGS = {
    "FEEDS": {OUTPUT: {"format": "jsonlines", "encoding": "utf8"}},
    "ROBOTSTXT_OBEY": True,
    "CONCURRENT_REQUESTS": 100,
    "REACTOR_THREADPOOL_MAXSIZE": 20,
    "COOKIES_ENABLED": False,
    "RETRY_ENABLED": False,
    "REDIRECT_ENABLED": False,
    "TELNETCONSOLE_ENABLED": False,
    "LOG_ENABLED": False,
    "DEPTH_PRIORITY": 1,
    "SCHEDULER_DISK_QUEUE": "scrapy.squeues.PickleFifoDiskQueue",
    "SCHEDULER_MEMORY_QUEUE": "scrapy.squeues.FifoMemoryQueue",
}


class Pages(scrapy.Spider):
    name = "pages"
    start_urls = [f"{origin}/" for origin in ORIGINS]  # noqa: RUF012 - as Scrapy has it
    allowed_domains = [urlsplit(origin).hostname for origin in ORIGINS]  # noqa: RUF012

    def parse(self, response: TextResponse) -> Iterator[dict[str, Any] | scrapy.Request]:
        yield {
            "url": response.url,
            "title": response.css("title::text").get(),
            "text": " ".join(response.css("body ::text").getall()),
            "links": [response.urljoin(href) for href in response.css("a::attr(href)").getall()],
        }
        yield from response.follow_all(css="a")


if __name__ == "__main__":
    process = CrawlerProcess(SETTINGS)
    process.crawl(Pages)
    process.start()
