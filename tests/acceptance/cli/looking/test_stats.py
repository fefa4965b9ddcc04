"""`outrider stats` counts what a crawl did."""


def test_the_counts_add_up(crawled):
    ran = crawled.run("stats", "--json")

    counts = ran.json
    assert ran.code == 0
    assert counts["states"] == {"pending": 0, "fetched": 6, "dead": 2, "aliases": 1}
    assert counts["dead_by_reason"] == {"not_found": 1, "robots_blocked": 1}
    assert counts["requests_by_status"] == {"200": 7, "301": 1, "404": 1}
    assert counts["skipped_by_reason"]["nofollow"] == 1
    assert counts["documents"] == 6
    assert counts["sources"][f"crawl {crawled.site.url}"] == counts["states"]
    assert counts["database_bytes"] > 1_000_000


def test_people_read_the_same(crawled):
    said = crawled.run("stats").out

    assert "9: 0 pending, 6 fetched, 2 dead, 1 aliases" in said
    assert "not_found" in said
    assert "none alive" in said


def test_lengths_of_pages_go_from_short_to_long(crawled):
    said = crawled.run("stats").out

    bars = [line.split()[0] for line in said.splitlines() if line.strip().startswith(("lt_", "ge_"))]
    assert bars == sorted(bars, key=lambda bar: int(bar[3:]))
    assert bars
