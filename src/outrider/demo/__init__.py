"""A small town's newspaper, served by Outrider itself, for a first crawl that needs no network.

The Alderford Courier has some fifty pages worth reading and one of everything that a crawler meets sooner
or later: feeds and a sitemap, redirects and a loop, traps, copies, slow and broken pages, odd alphabets.
`tour` lists these with what should have become of each, so that a crawl can end by pointing at them.

    async with demo_site() as site:
        ...  # crawl site.url, on 127.0.0.1; one redirect leads to site.other_url, on 127.0.0.2

It listens on loopback only, keeps nothing on disk and is the same every time.
"""

from outrider.demo.exhibits import Exhibit, Expect, tour
from outrider.demo.server import DemoRequest, DemoSite, demo_site

__all__ = ["DemoRequest", "DemoSite", "Exhibit", "Expect", "demo_site", "tour"]
