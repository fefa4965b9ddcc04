"""`outrider site` and `outrider redirect` as a person uses them."""

import gzip
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.support.command import Ran, outrider_here_meanwhile


@pytest.fixture
def run(database: str):
    async def ran(*arguments: str, code: int = 0) -> Ran:
        done = await outrider_here_meanwhile(*arguments, settings={"OUTRIDER_DATABASE_URL": database})
        assert done.code == code, done.err
        return done

    return ran


async def test_a_site_from_registration_to_its_redirects(run, tmp_path: Path):
    made = (
        await run("site", "add", "shop", "https://shop.test", "--set", "delete_fallback=gone", "--json")
    ).json
    assert made["key"].startswith("ork_")
    assert made["site"]["settings"]["delete_fallback"] == "gone"
    assert "ork_" in (await run("site", "key", "shop")).out

    await run("site", "event", "shop", "created", "/red-shoe", "--title", "Red shoe")
    told = (
        await run("site", "event", "shop", "renamed", "/red-shoe", "/crimson", "--id", "e1", "--json")
    ).json
    assert [change["action"] for change in told["changes"]] == ["created"]
    assert (
        "came before"
        in (await run("site", "event", "shop", "renamed", "/red-shoe", "/crimson", "--id", "e1")).out
    )
    await run("redirect", "add", "shop", "/sale", "/crimson?from=sale", "--status", "302")
    listed = (await run("redirect", "list", "shop", "--json")).json
    assert [(each["from_path"], each["to"], each["status"]) for each in listed["redirects"]] == [
        ("/red-shoe", "/crimson", 301),
        ("/sale", "/crimson?from=sale", 302),
    ]
    assert (await run("redirect", "resolve", "shop", "/Sale/?x=1", "--json")).json["location"] == (
        "/crimson?from=sale&x=1"
    )
    assert "home page" in (await run("redirect", "add", "shop", "/", "/crimson", code=1)).err
    assert "lead to itself" in (await run("redirect", "add", "shop", "/crimson-2", "/crimson-2", code=1)).err
    assert "live page" in (await run("redirect", "add", "shop", "/crimson", "/x", code=1)).err
    await run("redirect", "edit", "shop", "/sale", "--to", "/crimson")
    await run("redirect", "remove", "shop", "/sale")
    assert "removed" in (await run("redirect", "history", "shop", "/sale")).out

    file = tmp_path / "redirects.csv"
    await run("redirect", "export", "shop", str(file), "--format", "csv")
    assert (
        file.read_text()
        == "from_path,to,status,source,confidence\n/red-shoe,/crimson,301,auto_slug_change,\n"
    )
    file.write_text("/a,/b\n/b,/a\n")
    done = (await run("redirect", "import", "shop", str(file), "--json", code=1)).json
    assert (done["created"], done["refused"]) == (1, 1)

    live = tmp_path / "paths.txt"
    live.write_text("/a\n/crimson\n")
    assert (await run("site", "upload", "shop", str(live), "--json")).json["redirects_removed"] == 1
    assert [each["path"] for each in (await run("site", "paths", "shop", "--json")).json["paths"]] == [
        "/a",
        "/crimson",
    ]
    assert (await run("site", "show", "shop", "--json")).json["live_paths"] == 2
    assert "shop" in (await run("site", "list")).out
    await run("site", "remove", "shop", "--yes")
    assert "no site" in (await run("site", "show", "shop", code=1)).err


async def test_the_home_page_and_the_webhook(run):
    await run("site", "add", "shop", "https://shop.test")
    assert "confirm" in (await run("redirect", "add", "shop", "/", "/start", code=1)).err
    await run("redirect", "add", "shop", "/", "/start", "--confirm-root")
    assert "confirm" in (await run("redirect", "edit", "shop", "/", "--to", "/x", code=1)).err
    await run("redirect", "edit", "shop", "/", "--to", "/x", "--confirm-root")

    first = await run("site", "webhook", "shop", "https://cms.test/hook")
    [secret] = re.findall(r"orw_[\w-]{40,}", first.out)
    again = await run("site", "webhook", "shop", "https://cms.test/other")
    sent = (await run("site", "webhook", "shop", "--test", "--json")).json
    shown = await run("site", "show", "shop")
    listed = (await run("site", "deliveries", "shop", "--json")).json
    assert [each["delivery_id"] for each in listed["deliveries"]] == [sent["delivery_id"]]
    assert sent["delivery_id"] in (await run("site", "deliveries", "shop")).out
    assert "https://cms.test/other" in shown.out
    assert secret not in again.out + shown.out
    rotated = (await run("site", "webhook", "shop", "--new-secret", "--json")).json
    assert rotated["secret"] != secret
    assert "give one of" in (await run("site", "webhook", "shop", code=2)).err
    await run("site", "webhook", "shop", "--remove")
    assert "has no webhook" in (await run("site", "webhook", "shop", "--test", code=1)).err


async def test_a_field_is_saved_with_its_kind(run):
    await run("site", "add", "shop", "https://shop.test")

    saved = (await run("link", "save", "settings.contact", "a@b.test", "a", "--site", "1", "--kind", "email",
                       "--json")).json  # fmt: skip
    shown = await run("link", "save", "nav.main", "https://a.test/", "--site", "1")

    assert [(each["url"], each["reason"]) for each in saved["links"]] == [
        ("a@b.test", "email_format"),
        ("a", "bad_email"),
    ]
    assert "1 check queued" in shown.out


async def test_an_access_log_shows_what_visitors_miss(run, tmp_path: Path):
    await run("site", "add", "shop", "https://shop.test")
    visit = (
        '1.2.3.4 - - [{day}:13:55:36 +0000] "GET {path} HTTP/1.1" {status} 9 "-" "Mozilla/5.0 Firefox/140"\n'
    )
    days = f"{datetime.now(UTC):%d/%b/%Y}"
    rows = [("/lost", 200)] * 3 + [("/lost", 404), ("/wp-login.php", 404)]
    log = tmp_path / "access.log.gz"
    log.write_bytes(
        gzip.compress("".join(visit.format(day=days, path=p, status=s) for p, s in rows).encode())
    )

    done = (await run("site", "log", "shop", str(log), "--json")).json
    assert (done["lines"], done["views"], done["noise"], done["recorded"]) == (5, 3, 1, 1)
    assert "imported before" in (await run("site", "log", "shop", str(log), code=1)).err
    [row] = (await run("site", "broken", "shop", "--json")).json["broken_urls"]
    assert (row["path"], row["prior_analytics_hits"]) == ("/lost", 3)
    await run("site", "resolve", "shop", str(row["broken_id"]), "/new")

    assert "No broken URL" in (await run("site", "broken", "shop")).out
