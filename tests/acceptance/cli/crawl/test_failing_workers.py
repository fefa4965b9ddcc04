"""Workers that cannot even start: the crawl ends with what they say."""

import asyncpg
from tests.support.command import outrider_meanwhile
from tests.support.site import Plan, Site

NO_MORE_WORKERS = """
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'no worker may register here'; END $$;
    CREATE TRIGGER refuse BEFORE INSERT ON worker EXECUTE FUNCTION refuse()
"""


async def test_a_crawl_whose_workers_fail_one_after_another_ends_with_their_own_error(database, tmp_path):
    db = await asyncpg.connect(database)
    await db.execute(NO_MORE_WORKERS)
    with Site.start(tmp_path, Plan(pages=3)) as site:
        ran = await outrider_meanwhile(
            "crawl", site.url, "--workers", "8", settings={"OUTRIDER_DATABASE_URL": database}
        )
        requests = site.log()

    assert ran.code == 1
    assert "RaiseError: no worker may register here" in ran.err.splitlines()[-1]
    assert "nothing that was written is lost" in ran.err.splitlines()[-1]
    assert not requests
    assert await db.fetchval("SELECT count(*) FROM url WHERE next_fetch_at IS NOT NULL") == 1
    await db.close()
