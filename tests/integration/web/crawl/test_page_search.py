"""The search box: one text leads to a URL, host, source or job, or to a list."""

import pytest
from tests.support.crawled import HOME, NEWS

from outrider.services.find_anything import FoundKind, find_anything


@pytest.fixture
async def source(api):
    body = {"name": "Site paper", "url": "http://site.test/"}
    made = await api.post("/api/v1/sources", body)
    assert made.status_code == 201, made.text
    return made.json()


async def _led_to(api, text):
    answer = await api.get("/search", params={"q": text})
    return answer.headers.get("location")


async def _found(pool, text):
    async with pool.acquire() as db:
        return await find_anything(db, text)


async def test_what_is_meant_without_doubt_is_shown_at_once(api, crawl):
    assert await _led_to(api, NEWS) == "/urls?url=http%3A%2F%2Fsite.test%2Fnews"
    assert await _led_to(api, "https://never.test/seen") == "/urls?url=https%3A%2F%2Fnever.test%2Fseen"
    assert await _led_to(api, "OTHER.test") == "/hosts/other.test"


async def test_a_source_and_its_job_are_found_by_name(api, crawl, source, pool):
    made = await api.post("/api/v1/jobs", {"source_id": source["id"]})
    assert made.status_code == 201, made.text
    found = await _found(pool, "paper")
    job = await pool.fetchrow("SELECT job_id, public_id FROM job")

    assert [each.label for each in found.of(FoundKind.SOURCE)] == ["Site paper"]
    assert await _led_to(api, "site paper") == f"/sources/{source['id']}"
    assert [each.id for each in found.of(FoundKind.JOB)] == [str(job["public_id"])]
    assert await _led_to(api, f"#{job['job_id']}") == f"/jobs/{job['public_id']}"


async def test_several_results_are_a_list_in_groups(api, crawl, source):
    answer = await api.get("/search?q=site")

    assert answer.status_code == 200
    assert '<h2 class="card-title" id="group-1">Hosts</h2>' in answer.text
    assert f'href="/sources/{source["id"]}"' in answer.text
    assert 'href="/hosts/site.test"' in answer.text


async def test_hosts_are_found_by_their_beginning_also_with_www(pool, operator):
    await operator.queue("http://www.harbour.test/", "http://harbour.test/", "http://old-harbour.test/")

    assert [each.id for each in (await _found(pool, "harb")).of(FoundKind.HOST)] == [
        "harbour.test",
        "www.harbour.test",
    ]


async def test_urls_are_found_by_their_beginning(pool, crawl):
    urls = [each.id for each in (await _found(pool, "http://site.test/")).of(FoundKind.URL)]

    assert urls[0] == HOME
    assert NEWS in urls
    assert (await _found(pool, "http://site.test/nope")).items[0].note == "not known yet"


async def test_suggestions_are_a_fragment(api, crawl):
    answer = await api.get("/search/suggest?q=site")

    assert "<html" not in answer.text
    assert 'href="/hosts/site.test"' in answer.text
    assert (await api.get("/search/suggest?q=")).text.strip() == ""


@pytest.mark.parametrize(
    "text", ["", " ", "\x00", "%", "a b c", "999999999999", "javascript:alert(1)", "é" * 500]
)
async def test_any_text_is_answered(api, crawl, text):
    answer = await api.get("/search", params={"q": text})

    assert answer.status_code == 200
    assert "<script>" not in answer.text


async def test_what_was_typed_is_escaped(api):
    answer = await api.get("/search", params={"q": "<script>alert(1)</script>"})

    assert "<script>alert" not in answer.text
    assert (await api.get("/search?q=x", role="anonymous")).headers["location"].startswith("/login")
