"""After the last page: every document is searched for near-duplicates, however long that takes."""

import asyncpg
from tests.support.command import outrider_here_meanwhile, outrider_meanwhile
from tests.support.make import draft, keep_documents
from tests.support.prose import prose
from tests.support.site import Plan, Site

from outrider.documents.near_duplicates import PASS

PASSES = 4
# Each of two passes signs its documents with one statement. It takes longer than the pause between two
# lines of progress, so the second pass is told whatever was told before.
SLOW = """
    CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN PERFORM pg_sleep(6); RETURN NULL; END $$;
    CREATE TRIGGER slow BEFORE UPDATE OF signature ON document EXECUTE FUNCTION slow()
"""
UNSIGNED = "SELECT count(*) FROM document WHERE signature IS NULL AND duplicate_hash IS NULL"


async def test_it_goes_on_until_all_are_compared_and_tells_how_many_are_left(database, tmp_path):
    db = await asyncpg.connect(database)
    drafts = [draft(f"http://a.test/{n}", f"{n} {prose(f'Story {n}', 60)}") for n in range(PASSES * PASS)]
    await keep_documents(db, drafts)
    settings = {"OUTRIDER_DATABASE_URL": database}
    waiting = (await outrider_here_meanwhile("stats", "--json", settings=settings)).json["uncompared"]
    await db.execute(SLOW)
    with Site.start(tmp_path, Plan(pages=1)) as site:
        ran = await outrider_meanwhile("crawl", site.url, "--json", "--workers", "1", settings=settings)

    left = [line["uncompared"] for line in ran.lines if line["event"] == "progress"]
    assert waiting == PASSES * PASS
    assert ran.code == 0, ran.err
    assert ran.lines[-1]["total"]["uncompared"] == 0
    assert await db.fetchval(UNSIGNED) == 0
    assert any(left)
    await db.close()
