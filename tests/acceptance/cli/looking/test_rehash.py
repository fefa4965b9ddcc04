"""A database whose URLs are spelt by other rules: commands say what to run, and that is enough."""

import asyncio

import asyncpg


def test_other_rules_are_refused_until_a_rehash(own_crawl):
    async def pretend_older_rules() -> None:
        db = await asyncpg.connect(own_crawl.dsn)
        await db.execute("UPDATE url_rules SET version = 0")
        await db.close()

    assert "those of this Outrider" in own_crawl.run("rehash").out
    asyncio.run(pretend_older_rules())

    refused = own_crawl.run("stats")
    tried = own_crawl.run("rehash", "--dry-run")
    still_refused = own_crawl.run("urls")
    done = own_crawl.run("rehash", "--json").json
    looked = own_crawl.run("urls", "--json")

    assert [refused.code, tried.code, still_refused.code, looked.code] == [1, 0, 1, 0]
    assert "spelt by rules 0 and this Outrider has 1: run `outrider rehash`" in refused.err
    assert "From rules 0 to 1: 0 URLs would get a new spelling." in tried.out
    assert (done["from"], done["to"], done["looked_at"]) == (0, 1, looked.json["total"] + 1)
