"""Files of sources: import and export."""

import json

import pytest
from tests.support.api import api_on

CSV = "name,url,labels\nAlpha,https://alpha.test/,press\nBroken,no address,\nBeta,https://beta.test/,\n"
PATH = "/api/v1/sources/import"


async def names(api):
    return [each["name"] for each in (await api.get("/api/v1/sources")).json()["items"]]


async def test_a_file_is_imported_and_a_wrong_row_is_reported(api):
    answer = await api.call("POST", PATH, content=CSV, headers={"content-type": "text/csv"})

    report = answer.json()
    assert (answer.status_code, report["added"], report["refused"]) == (200, 2, 1)
    [refused] = [row for row in report["rows"] if row["end"] == "refused"]
    assert (refused["name"], refused["problems"][0].split(":")[0]) == ("Broken", "url")
    assert await names(api) == ["Alpha", "Beta"]


async def test_a_form_with_a_file_is_imported(api):
    answer = await api.call("POST", PATH, files={"file": ("sources.csv", CSV, "text/csv")})

    assert (answer.status_code, answer.json()["added"]) == (200, 2)


async def test_a_dry_run_reports_the_same_and_stores_nothing(api):
    tried = (await api.call("POST", f"{PATH}?dry_run=true", content=CSV)).json()
    empty = await names(api)
    done = (await api.call("POST", PATH, content=CSV)).json()

    assert empty == []
    assert tried.pop("dry_run") is True
    assert done.pop("dry_run") is False
    assert tried == done


@pytest.mark.parametrize(
    ("content", "status"),
    [
        pytest.param(b"", 400, id="nothing"),
        pytest.param(b"\xd0\xcf\x11\xe0old excel", 400, id="an old Excel file"),
        pytest.param(b"PK\x03\x04broken", 400, id="a broken spreadsheet"),
        pytest.param(b"<opml><body>", 400, id="broken OPML"),
        pytest.param(b'[{"name"', 400, id="broken JSON"),
    ],
)
async def test_a_file_that_cannot_be_read_is_refused(api, content, status):
    answer = await api.call("POST", PATH, content=content)

    assert answer.status_code == status, answer.text
    assert answer.json()["error"]


async def test_a_form_without_a_file_is_refused(api):
    answer = await api.call("POST", PATH, files={"other": ("a.csv", CSV)})

    assert (answer.status_code, answer.json()["code"]) == (400, "bad_input")


async def test_a_file_over_the_limit_is_refused(pool):
    api = api_on(pool, import_limit="2000")
    async with api.client:
        answer = await api.call("POST", PATH, content=b"x" * 2001)

    assert answer.status_code == 413


@pytest.mark.parametrize(
    ("form", "kind"),
    [("csv", "text/csv"), ("json", "application/json"), ("opml", "text/x-opml")],
)
async def test_an_export_can_be_imported(api, form, kind):
    await api.call("POST", PATH, content=CSV)

    exported = await api.get(f"/api/v1/sources/export?format={form}")

    assert exported.headers["content-type"].startswith(kind)
    assert exported.headers["content-disposition"] == f'attachment; filename="sources.{form}"'
    again = (await api.call("POST", PATH, content=exported.content)).json()
    assert (again["unchanged"], again["added"], again["refused"]) == (2, 0, 0)
    if form == "json":
        assert [each["name"] for each in json.loads(exported.content)] == ["Alpha", "Beta"]
