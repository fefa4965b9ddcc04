"""A small crawl in the database of a test: pages, dead URLs and redirects on two hosts."""

from tests.support.make import Operator, completion, draft, keep_documents

from outrider.documents.packing import pack_links
from outrider.frontier.redirect_hops import HopNote, note_hops
from outrider.hrefs import Hrefs
from outrider.services.as_json import as_json
from outrider.urls import key_of

HOME, NEWS, OLD, GONE, LOOP, WAITING = (
    f"http://{name}" for name in ("site.test/", "site.test/news", "site.test/old", "site.test/gone",
                                  "other.test/loop", "other.test/later")
)  # fmt: skip
LOOPS = "redirect_loop"


def id_of(url: str) -> str:
    """The id of a URL in the API."""
    return str(as_json(key_of(url)))


async def make_crawl(operator: Operator) -> None:
    """Two stored pages, one redirect, two dead URLs and one that waits, on two hosts."""
    await operator.queue(HOME, NEWS, OLD, GONE, LOOP, WAITING)
    await operator.complete(
        completion(HOME),
        completion(NEWS),
        completion(OLD, status=301, moved_to=key_of(NEWS)),
        completion(GONE, status=404, reason="not_found"),
        completion(LOOP, status=302, reason=LOOPS),
    )
    hrefs = {"/news": False, "/old": True, "http://other.test/later": False, "mailto:a@b.test": False}
    links = pack_links(Hrefs.of(hrefs))
    home = draft(HOME, title="Harbour bridge opens", links=links, links_count=3, content_type="text/html")
    news = draft(NEWS, title="Winter storm", language="de", content_type="application/xhtml+xml")
    hops = [HopNote(key_of(OLD), OLD, NEWS, 301, 0.0), HopNote(key_of(LOOP), LOOP, LOOP, 302, 0.0)]
    await operator.run(lambda db: keep_documents(db, [home, news]))
    await operator.run(lambda db: note_hops(db, hops))
