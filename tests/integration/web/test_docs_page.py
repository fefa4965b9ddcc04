"""The description of the API for programs and for people."""

import re


async def test_the_page_loads_only_files_of_this_server(api):
    page = await api.get("/api/docs", role="anonymous")
    addresses = re.findall(r'(?:src|href|data-description)="([^"]+)"', page.text)

    assert len(addresses) == 5
    for address in addresses:
        found = await api.get(address, role="anonymous")
        assert (found.status_code, address) == (200, address)
    assert "<script>" not in page.text


async def test_files_are_kept_for_ever_and_pages_are_not(api):
    page = await api.get("/api/docs", role="anonymous")
    style = re.search(r'href="(/assets/[^"]+css)"', page.text)[1]

    assert "immutable" in (await api.get(style)).headers["cache-control"]
    assert page.headers["cache-control"] == "no-store"
    assert "unsafe" not in page.headers["content-security-policy"]


async def test_every_answer_has_the_id_of_its_request(api):
    given = await api.get("/api/v1/workers", headers={"X-Request-ID": "abc-1"})
    unusable = await api.get("/api/v1/workers", headers={"X-Request-ID": "x" * 129})
    missing = await api.get("/nowhere")

    assert given.headers["x-request-id"] == "abc-1"
    assert len(unusable.headers["x-request-id"]) == len(missing.headers["x-request-id"]) == 32
