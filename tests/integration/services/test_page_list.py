"""A list of stored pages: exact while an index finds few, else in parts that say so."""

from datetime import UTC, datetime

import pytest

from outrider.documents import listing
from outrider.documents.listing import PageFilter
from outrider.errors import InvalidInput
from outrider.services.pages.stored import list_stored_pages
from outrider.services.paging import PageRequest, TotalIs
from outrider.urls import host_id_of

ADD_PAGES = """
    WITH added AS (
      INSERT INTO url (host_id, url_hash, url)
      SELECT CASE WHEN n % 2 = 0 THEN $1::bigint ELSE $2 END, md5(n::text)::uuid, 'http://h.test/' || n
        FROM generate_series(1, 30) n
      RETURNING host_id, url_hash, url
    )
    INSERT INTO document (host_id, url_hash, source_id, bytes, words, http_status, content_hash,
                          first_seen_at, title, language)
    SELECT host_id, url_hash, 1, 1, 1, 200, '\\x00', $3::timestamptz - n * interval '1 minute',
           CASE WHEN n % 10 = 0 THEN '100% of a_rare word' ELSE 'usual' END,
           CASE WHEN n % 7 = 0 THEN 'vi' ELSE 'en' END
      FROM (SELECT *, substring(url from '[0-9]+$')::int AS n FROM added) a
"""
EVEN, ODD = host_id_of("even.test"), host_id_of("odd.test")


@pytest.fixture
async def pages(operator):
    """Thirty pages of two hosts, a minute apart."""
    await operator.run(lambda db: db.execute(ADD_PAGES, EVEN, ODD, datetime(2026, 1, 1, tzinfo=UTC)))


async def _walk(operator, wanted, limit):
    """Every page of the list, part by part."""
    found, after = [], None
    for _ in range(40):
        page = PageRequest(limit, after=after)
        part = await operator.run(lambda db, page=page: list_stored_pages(db, wanted, None, page))
        found += [each.url for each in part.items]
        after = part.next
        if after is None:
            return found
    raise AssertionError("the list has no end")


@pytest.mark.parametrize(
    "wanted",
    [
        PageFilter(),
        PageFilter(language="vi"),
        PageFilter(language="nothing"),
        PageFilter(title="rare"),
        PageFilter(title="usual"),
        PageFilter(title="usual", language="vi"),
        PageFilter(title="100% a_rare"),
        PageFilter(title="nowhere"),
        PageFilter(host_id=EVEN, language="vi"),
        PageFilter(http_status=404),
    ],
)
async def test_a_walk_over_the_bound_finds_each_page_once(operator, pages, monkeypatch, wanted):
    whole = await _walk(operator, wanted, 100)
    monkeypatch.setattr(listing, "MOST_EXAMINED", 4)

    walked = await _walk(operator, wanted, 2)

    assert walked == whole


async def test_a_part_without_a_match_says_what_it_examined_and_goes_on(operator, pages, monkeypatch):
    monkeypatch.setattr(listing, "MOST_EXAMINED", 4)

    part = await operator.run(
        lambda db: list_stored_pages(db, PageFilter(language="vi"), None, PageRequest(limit=5))
    )

    assert (list(part.items), part.total, part.total_is, part.examined) == ([], 0, TotalIs.AT_LEAST, 4)
    assert part.next is not None
    with pytest.raises(InvalidInput, match="behind the 4 pages that one list examines"):
        await operator.run(
            lambda db: list_stored_pages(db, PageFilter(language="vi"), None, PageRequest(limit=5, offset=1))
        )


async def test_a_host_that_has_few_pages_is_read_whole(operator, pages):
    part = await operator.run(
        lambda db: list_stored_pages(db, PageFilter(host_id=EVEN), None, PageRequest(limit=3))
    )

    assert (part.total, part.total_is, part.examined) == (15, TotalIs.EXACT, None)
    assert [each.url for each in part.items] == [f"http://h.test/{n}" for n in (2, 4, 6)]
