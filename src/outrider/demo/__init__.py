"""A small town's newspaper, served by Outrider itself, for a first crawl that needs no network.

The Alderford Courier has some fifty articles and one example of each difficulty for a crawler: feeds and a
sitemap, redirects and a loop, traps, copies, slow and broken pages, unusual charsets. `tour` lists the
examples with the expected result of each, so that a crawl can show them at its end.

    async with demo_site() as site:
        ...  # crawl site.url, on 127.0.0.1; one redirect leads to site.other_url, on 127.0.0.2

The site listens on loopback only, writes nothing to disk and is the same every time.
"""

from outrider.demo.exhibits import Exhibit, Expect, tour
from outrider.demo.server import DemoRequest, DemoSite, demo_site

__all__ = ["DemoRequest", "DemoSite", "Exhibit", "Expect", "demo_site", "tour"]
