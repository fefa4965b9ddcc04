"""Crawlee as its manual writes crawlers: its own links, its own storage, which is on disk.

python crawlee_manual.py OUTPUT ORIGIN…
"""

import asyncio
import logging
import re
import sys
from pathlib import Path

from crawlee import ConcurrencySettings, service_locator
from crawlee.configuration import Configuration
from crawlee.crawlers import ParselCrawler, ParselCrawlingContext

OUTPUT, *ORIGINS = sys.argv[1:]
OURS = re.compile("|".join(re.escape(f"{origin}/") for origin in ORIGINS))


async def main() -> None:
    logging.disable()
    service_locator.set_configuration(Configuration(storage_dir=str(Path(OUTPUT).with_suffix(""))))
    crawler = ParselCrawler(
        respect_robots_txt_file=True,
        max_request_retries=0,
        configure_logging=False,
        concurrency_settings=ConcurrencySettings(
            min_concurrency=40, desired_concurrency=40, max_concurrency=100
        ),
    )

    @crawler.router.default_handler
    async def handle(context: ParselCrawlingContext) -> None:
        await context.push_data(
            {
                "url": context.request.url,
                "title": context.selector.css("title::text").get(),
                "text": " ".join(context.selector.css("body ::text").getall()),
                "links": context.selector.css("a::attr(href)").getall(),
            }
        )
        await context.enqueue_links(strategy="all", include=[OURS])

    await crawler.run([f"{origin}/" for origin in ORIGINS])


if __name__ == "__main__":
    asyncio.run(main())
