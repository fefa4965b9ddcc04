"""What a worker learns and the database will not take."""

import asyncpg
import pytest
from tests.support.worker import paths

_REFUSE = """
CREATE FUNCTION refuse_page() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF new.title LIKE 'Page {page} of %' THEN
    RAISE EXCEPTION 'not this one';
  END IF;
  RETURN new;
END $$;
CREATE TRIGGER refuse_page BEFORE INSERT ON document FOR EACH ROW EXECUTE FUNCTION refuse_page();
"""


async def _refuse(crawl, page):
    """The database takes every document but that of this page."""
    await crawl.operator.run(lambda db: db.execute(_REFUSE.format(page=page)))


async def test_a_worker_that_cannot_write_ends_instead_of_fetching_on(crawl, serve):
    site = serve(pages=200)
    await crawl.seed(site.url)
    await _refuse(crawl, page=0)

    with pytest.raises(asyncpg.RaiseError):
        await crawl.run()

    assert paths(site) == ["/"], "its links were never written, so nobody could follow them"


async def test_a_page_that_cannot_be_written_is_parked_and_the_rest_of_the_batch_is_stored(crawl, serve):
    site = serve(pages=4)
    await crawl.seed(site.url)
    await _refuse(crawl, page=1)

    for _ in range(20):
        try:
            await crawl.run()
            break
        except asyncpg.RaiseError:
            await crawl.operator.let_lease_run_out("127.0.0.2")

    states = await crawl.states()
    assert states.pop(site.urls[1]) == "dead: poison"
    assert states == dict.fromkeys((site.urls[0], *site.urls[2:]), "fetched")
