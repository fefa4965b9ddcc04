"""`outrider check` on pages, sites, folders and sitemaps."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from tests.support.command import Ran, outrider, outrider_here
from tests.support.site import Answer, Plan, Site, html, redirect

from outrider.urls import host_id_of, host_of

FIELDS = {"url", "verdict", "status", "reason", "moved_to", "evidence"}


def document(body: str) -> Answer:
    return html(f"<title>A page</title><p id=first>{'word ' * 30}</p>{body}")


def xml(body: str) -> Answer:
    return Answer(body=body, headers={"Content-Type": "application/xml"})


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    plan = Plan(
        pages=1,
        hosts=2,
        robots=Answer(status=404),
        answers={
            "/start": [document('<a href="/a#first">a</a><a href="/a#nope">b</a><a href="/gone">c</a>')],
            "/a": [document('<a href="/b">b</a><img src="/pixel.png">')],
            "/b": [
                document(
                    '<a href="/start">back</a><a href="/moved">m</a><a href="mailto:x@y.org">m</a>'
                    '<a href="http://shop.test]">mistake</a>'
                )
            ],
            "/moved": [redirect("/a")],
            "/scripted": [document("<script>1</script>")],
            "/doubtful": [Answer(status=500)],
            "/loop": [redirect("/loop")],
            "/sitemap.xml": [xml("<sitemapindex><sitemap><loc>/part.xml</loc></sitemap></sitemapindex>")],
            "/part.xml": [xml("<urlset><url><loc>/a</loc></url><url><loc>/gone</loc></url></urlset>")],
        },
    )
    with Site.start(tmp_path_factory.mktemp("site"), plan) as running:
        yield running


def check(*arguments: str, settings: dict[str, str] | None = None, **options) -> Ran:
    return outrider_here("check", *arguments, settings=settings, **options)


def verdicts(ran: Ran) -> dict[str, tuple[str, str]]:
    return {found["url"]: (found["verdict"], found["reason"]) for found in ran.lines}


@pytest.fixture
def origin(site: Site) -> str:
    return site.origins[0]


def test_one_address_is_one_line_of_json(origin, tmp_path):
    ran = check(f"{origin}/a", "--json", "--data", str(tmp_path))

    assert ran.code == 0
    assert set(ran.json) >= FIELDS
    assert (ran.json["verdict"], ran.json["status"], ran.json["moved_to"]) == ("ok", 200, None)
    assert ran.json["evidence"][0]["method"] == "HEAD"


def test_several_addresses_and_the_exit_code_of_a_dead_one(origin, tmp_path):
    ran = check(f"{origin}/a", f"{origin}/gone", f"{origin}/moved", "--json", "--data", str(tmp_path))

    assert ran.code == 1
    assert {url.removeprefix(origin): found for url, found in verdicts(ran).items()} == {
        "/a": ("ok", "answers"),
        "/gone": ("dead", "http_404"),
        "/moved": ("moved", "moved_permanently"),
    }
    [moved] = [found for found in ran.lines if found["verdict"] == "moved"]
    assert moved["moved_to"] == f"{origin}/a"


def test_an_uncertain_link_does_not_fail(origin, tmp_path):
    ran = check(f"{origin}/doubtful", f"{origin}/loop", "--json", "--data", str(tmp_path))

    assert ran.code == 0
    assert {found for found, _ in verdicts(ran).values()} == {"uncertain"}


def test_an_address_that_is_late_is_asked_for_once_more(tmp_path):
    late = Answer(delay=3)
    plan = Plan(
        pages=1,
        hosts=2,
        robots=Answer(status=404),
        answers={"/late": [late, late, document("at last")], "/never/1": [late], "/never/2": [late]},
    )
    with Site.start(tmp_path, plan) as slow:
        first, second = slow.origins
        once, never = f"{first}/late", f"{second}/never"
        ran = check(
            *(once, f"{never}/1", f"{never}/2"), "--json", "--timeout", "1", "--data", str(tmp_path / "none")
        )

    assert {url: verdict for url, (verdict, _) in verdicts(ran).items()} == {
        once: "ok",
        f"{never}/1": "uncertain",
        f"{never}/2": "uncertain",
    }


def test_fragments_of_a_page_cost_one_request(site, origin, tmp_path):
    before = len(site.log())
    ran = check(
        f"{origin}/a#first", f"{origin}/a#nope", f"{origin}/scripted#nope", "--json", "--data", str(tmp_path)
    )
    asked = [asked.path for asked in site.log()[before:]]

    assert {url.removeprefix(origin): found for url, found in verdicts(ran).items()} == {
        "/a#first": ("ok", "answers"),
        "/a#nope": ("dead", "fragment_missing"),
        "/scripted#nope": ("uncertain", "fragment_unseen"),
    }
    assert asked.count("/a") == 1


def test_a_site_is_read_page_by_page(site, origin, tmp_path):
    before = len(site.log())
    ran = check("--site", f"{origin}/start", "--json", "--data", str(tmp_path))
    found = {url.removeprefix(origin): verdict for url, (verdict, _) in verdicts(ran).items()}
    asked = [asked.path for asked in site.log()[before:]]

    assert ran.code == 1
    assert found == {
        "/start": "ok",
        "/a#first": "ok",
        "/a#nope": "dead",
        "/b": "ok",
        "/gone": "dead",
        "/moved": "moved",
        "/pixel.png": "dead",
        "http://shop.test]": "dead",
    }
    assert [asked.count(page) for page in ("/start", "/a", "/b")] == [1, 2, 1], "/moved leads to /a again"
    [gone] = [link for link in ran.lines if link["url"].endswith("/gone")]
    assert [place["file"] for place in gone["found_in"]] == [f"{origin}/start"]


def test_a_sitemap_and_the_sitemaps_that_it_names(origin, tmp_path):
    ran = check(f"{origin}/sitemap.xml", "--json", "--data", str(tmp_path))

    assert {url.removeprefix(origin): found for url, (found, _) in verdicts(ran).items()} == {
        "/a": "ok",
        "/gone": "dead",
    }


@pytest.fixture
def docs(tmp_path: Path, origin: str) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "a.md").write_text(f"# A\n\n[ok](b.html#x)\n[web]({origin}/a) and {origin}/gone\n[x](no.md)\n")
    (folder / "b.html").write_text('<p id="x"></p>\n<a href="/a.md">root</a>\n<a href="nothing.html">n</a>\n')
    return folder


def test_a_folder_is_reported_by_file_and_line(docs, origin, tmp_path):
    ran = check(str(docs), "--data", str(tmp_path / "data"))

    assert ran.code == 1
    lines = [line.strip() for line in ran.out.splitlines()]
    assert lines[0] == f"{docs}/a.md"
    assert f"dead      4: {origin}/gone" in lines
    assert "dead      5: no.md" in lines
    assert lines[lines.index(f"{docs}/b.html") + 1] == "dead      3: nothing.html"
    assert lines[-1].endswith(": 3 ok, 0 moved, 3 dead, 0 uncertain")


def test_offline_asks_no_server(site, docs, tmp_path):
    before = len(site.log())
    ran = check(str(docs), "--offline", "--json", "--data", str(tmp_path / "data"))

    assert {link["url"] for link in ran.lines} == {"b.html#x", "no.md", "/a.md", "nothing.html"}
    assert len(site.log()) == before


def test_excluded_links_are_not_checked(docs, tmp_path):
    ran = check(str(docs), "--exclude", "gone", "--exclude", r"^no", "--data", str(tmp_path / "data"))

    assert ran.code == 0


def test_the_formats_of_ci_systems(docs, tmp_path):
    data = str(tmp_path / "data")

    assert check(str(docs), "--format", "junit", "--data", data).out.startswith("<?xml")
    assert f"::error file={docs}/a.md,line=5,title=dead link::no.md" in (
        check(str(docs), "--format", "github", "--data", data).out
    )


def test_a_second_run_asks_only_for_links_that_failed(site, origin, tmp_path):
    arguments = [f"{origin}/a", f"{origin}/gone", "--json", "--cache", str(tmp_path / "c.json")]
    check(*arguments, "--data", str(tmp_path))
    before = len(site.log())

    ran = check(*arguments, "--data", str(tmp_path))

    assert {link["url"]: link["cached"] for link in ran.lines} == {
        f"{origin}/a": True,
        f"{origin}/gone": False,
    }
    assert "/a" not in [asked.path for asked in site.log()[before:]]


def test_the_same_failure_a_day_later_is_dead(origin, tmp_path):
    cache = tmp_path / "c.json"
    arguments = [f"{origin}/doubtful", "--json", "--cache", str(cache), "--data", str(tmp_path)]
    assert check(*arguments).json["verdict"] == "uncertain"

    yesterday = (datetime.now(UTC) - timedelta(days=1)).isoformat()
    known = json.loads(cache.read_text())
    known["links"][f"{origin}/doubtful"]["checks"][0][0] = yesterday
    cache.write_text(json.dumps(known))
    ran = check(*arguments)

    assert ran.code == 1
    assert (ran.json["verdict"], ran.json["reason"]) == ("dead", "server_error")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "name what to check"),
        (["no-such-file.md"], "there is no file or folder"),
        (["--exclude", "(", "http://127.0.0.1/"], "is no regular expression"),
        (["--cache-age", "soon", "http://127.0.0.1/"], "is not a duration"),
        (["https://www.iana.org/"], "no contact is set"),
    ],
)
def test_wrong_usage_is_one_sentence(arguments, sentence, tmp_path):
    ran = check(*arguments, "--data", str(tmp_path))

    assert ran.code == 2
    assert sentence in ran.err


def test_a_file_that_cannot_be_read_stops_nothing_but_itself(tmp_path):
    docs = tmp_path / "docs"
    (docs / os.fsdecode(b"n\xffme")).mkdir(parents=True)
    (docs / os.fsdecode(b"n\xffme/\xfe.md")).write_text("[x](none.md)")
    (docs / "a.md").write_text("[large](large.md#part) [loop](loop/loop/a.md) [binary](b.html#x)")
    (docs / "b.html").write_bytes(b"\x00\xff<p id=x>\xfe")
    (docs / "loop").symlink_to(".")
    (docs / "dangling.md").symlink_to("nowhere")
    with (docs / "large.md").open("wb") as large:
        large.truncate(100_000_000)
    options = ("--offline", "--data", str(tmp_path / "none"))

    ran = check(str(docs), "--json", *options)
    named = check(str(docs / "large.md"), *options)

    assert {url: verdict for url, (verdict, _) in verdicts(ran).items()} == {
        "large.md#part": "ok",
        "loop/loop/a.md": "ok",
        "b.html#x": "ok",
        "none.md": "dead",
    }
    assert ran.code == 1
    assert "large.md is larger than 16 MB and is not read" in ran.err
    assert (named.code, named.out) == (2, "")
    for form in ("text", "junit", "github"):
        assert check(str(docs), "--format", form, *options).code == 1


def test_an_interrupted_check_says_so_and_keeps_what_it_knows(origin, tmp_path):
    cache = tmp_path / "links.json"
    with socket.create_server(("127.0.0.1", 0)) as silent:
        addresses = [f"{origin}/a", f"http://127.0.0.1:{silent.getsockname()[1]}/"]
        command = [sys.executable, "-m", "outrider", "check", *addresses, "--cache", str(cache)]
        settings = {
            "OUTRIDER_ALLOW_PRIVATE": "127.0.0.0/8",
            "OUTRIDER_DELAY": "0",
            "OUTRIDER_LINK_HOSTS": "1",
        }
        running = subprocess.Popen(
            [*command, "--data", str(tmp_path / "none")],
            env={**os.environ, **settings},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        with silent.accept()[0]:
            running.send_signal(signal.SIGINT)
            out, err = running.communicate(timeout=60)

    assert (running.returncode, out) == (1, "")
    assert "interrupted before all links were checked" in err
    assert f"{origin}/a" in cache.read_text()


def test_the_links_of_our_own_documentation_lead_somewhere(tmp_path):
    root = Path(__file__).parents[3]
    names = ("docs", "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "examples")

    ran = check(*(str(root / name) for name in names), "--offline", "--json", "--data", str(tmp_path))

    assert [(found["url"], found["found_in"]) for found in ran.lines if found["verdict"] != "ok"] == []
    assert len(ran.lines) > 200


def test_a_private_address_is_not_asked(tmp_path):
    ran = check(
        "http://127.0.0.1:9/", "--json", "--data", str(tmp_path), settings={"OUTRIDER_ALLOW_PRIVATE": ""}
    )

    assert (ran.code, ran.json["reason"]) == (0, "address_not_allowed")


async def test_with_a_database_the_host_is_leased_and_given_back(origin, database, pool):
    settings = {"OUTRIDER_DATABASE_URL": database}
    ran = outrider("check", f"{origin}/a", "--json", settings=settings)

    assert ran.json["verdict"] == "ok"
    row = await pool.fetchrow(
        "SELECT lease_seq, lease_owner FROM host WHERE host_id = $1", host_id_of(host_of(f"{origin}/"))
    )
    assert row is not None
    assert (row["lease_seq"] >= 1, row["lease_owner"]) == (True, None)
