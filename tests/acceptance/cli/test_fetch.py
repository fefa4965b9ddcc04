"""`outrider fetch` against a site that redirects, forbids, drips and lies."""

import json
import socket
from base64 import b64decode
from collections.abc import Iterator
from itertools import pairwise

import pytest
from tests.support.command import outrider, outrider_here
from tests.support.site import Answer, Plan, Site, html, redirect

from outrider.cli.main import run

ROBOTS = "User-agent: *\nDisallow: /private\nCrawl-delay: 0.2\n"
NAMES = {"ok", "outcome", "reason", "status", "url", "hops", "headers", "elapsed_ms"}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    plan = Plan(
        pages=2,
        hosts=2,
        robots=Answer(body=ROBOTS, headers={"Content-Type": "text/plain"}),
        answers={
            "/go": [redirect("/page/1", 302)],
            "/there": [redirect("/private/x")],
            "/a": [redirect("/b")],
            "/b": [redirect("/a")],
            "/nowhere": [redirect("mailto:a@b.test")],
            "/inside": [redirect("http://169.254.169.254/latest/meta-data/")],
            "/large": [Answer(body="x" * 5000)],
            "/slow": [Answer(body="x" * 100, drip=1.0)],
            "/pdf": [Answer(body="%PDF", headers={"Content-Type": "application/pdf"})],
            "/busy": [Answer(status=503, headers={"Retry-After": "90"})],
            "/private/x": [html("secret")],
            "/rude": [Answer(hang_up=True)],
        },
    )
    with Site.start(tmp_path_factory.mktemp("site"), plan) as running:
        yield running


@pytest.fixture(autouse=True)
def _loopback_is_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    """For commands run in this process."""
    monkeypatch.setenv("OUTRIDER_ALLOW_PRIVATE", "127.0.0.0/8")
    monkeypatch.setenv("OUTRIDER_DELAY", "0")


@pytest.mark.parametrize(
    ("path", "options", "expected"),
    [
        pytest.param(
            "/page/1", [], {"ok": True, "outcome": "fetched", "status": 200, "reason": None}, id="page"
        ),
        pytest.param(
            "/pdf", [], {"ok": True, "outcome": "fetched", "reason": None}, id="any content is an answer"
        ),
        pytest.param(
            "/gone", [], {"ok": False, "outcome": "rejected", "reason": "not_found", "status": 404}, id="404"
        ),
        pytest.param("/busy", [], {"outcome": "rejected", "reason": "http_503", "status": 503}, id="503"),
        pytest.param(
            "/private/x", [], {"outcome": "robots_blocked", "reason": "robots_blocked"}, id="robots"
        ),
        pytest.param(
            "/private/x", ["--ignore-robots"], {"ok": True, "outcome": "fetched"}, id="robots may be ignored"
        ),
        pytest.param(
            "/there",
            [],
            {"outcome": "robots_blocked", "reason": "robots_blocked"},
            id="robots counts on every hop",
        ),
        pytest.param(
            "/a", [], {"outcome": "redirected", "reason": "redirect_loop", "status": 301}, id="loop"
        ),
        pytest.param(
            "/go",
            ["--max-redirects", "0"],
            {"outcome": "redirected", "reason": "too_many_redirects"},
            id="limit",
        ),
        pytest.param(
            "/nowhere", [], {"outcome": "redirected", "reason": "invalid_redirect"}, id="no http target"
        ),
        pytest.param(
            "/inside", [], {"outcome": "refused", "reason": "blocked_address"}, id="hop to an inner address"
        ),
        pytest.param(
            "/large", ["--max-bytes", "1000"], {"outcome": "failed", "reason": "too_large"}, id="body limit"
        ),
        pytest.param(
            "/slow", ["--timeout", "0.5"], {"outcome": "failed", "reason": "timeout"}, id="deadline"
        ),
        pytest.param(
            "/rude", [], {"outcome": "failed", "reason": "connection_reset"}, id="connection broken off"
        ),
    ],
)
def test_an_answer_is_named_and_sets_the_exit_code(site: Site, capsys, path, options, expected):
    code = run(["fetch", "--json", site.origins[0] + path, *options])

    said = capsys.readouterr()
    answer = json.loads(said.out)
    assert set(answer) == NAMES
    assert {name: answer[name] for name in expected} == expected
    assert code == (0 if answer["ok"] else 1)
    assert said.err == ""


def test_hops_are_listed_and_the_body_comes_when_asked_for(site: Site):
    answer = outrider_here("fetch", "--json", "--body", f"{site.origins[0]}/go").json

    assert answer["hops"] == [
        {"url": f"{site.origins[0]}/go", "status": 302, "target": f"{site.origins[0]}/page/1"}
    ]
    assert answer["url"] == f"{site.origins[0]}/page/1"
    assert b"Page 1 of 127.0.0.2" in b64decode(answer["body_b64"])
    assert answer["headers"]["content-type"] == "text/html; charset=utf-8"


def test_robots_is_asked_first_and_the_hosts_delay_is_kept(site: Site):
    before = len(site.log())

    outrider_here("fetch", "--json", f"{site.origins[1]}/go")

    asked = site.wait_for(before + 3)[before:]
    assert [each.path for each in asked] == ["/robots.txt", "/go", "/page/1"]
    pauses = [later.started_monotonic - earlier.ended_monotonic for earlier, later in pairwise(asked)]
    assert min(pauses) >= 0.2


@pytest.mark.parametrize(
    ("robots", "outcome", "reason"),
    [
        pytest.param(Answer(status=503), "robots_blocked", "robots_unreachable", id="robots.txt is down"),
        pytest.param(Answer(hang_up=True), "failed", "connection_reset", id="nobody answers"),
        pytest.param(
            Answer(body="User-agent: *\nCrawl-delay: 3600"),
            "refused",
            "delay_too_long",
            id="an hour of waiting",
        ),
        pytest.param(redirect("/rules"), "fetched", None, id="robots.txt moved to rules that allow"),
    ],
)
def test_what_robots_cannot_say_is_not_guessed(tmp_path, capsys, robots, outcome, reason):
    answers = {"/robots.txt": [robots], "/rules": [Answer(body="User-agent: *\nAllow: /")]}
    with Site.start(tmp_path, Plan(pages=1, answers=answers)) as site:
        run(["fetch", "--json", site.url])
        answer = json.loads(capsys.readouterr().out)
        asked = site.wait_for(3 if answer["ok"] else 1)

    assert (answer["outcome"], answer["reason"]) == (outcome, reason)
    assert ("/" in {each.path for each in asked}) == answer["ok"]


def test_a_robots_txt_that_moved_to_a_private_address_is_missing(tmp_path, capsys):
    answers = {"/robots.txt": [redirect("http://10.0.0.1/robots.txt")]}
    with Site.start(tmp_path, Plan(pages=1, answers=answers)) as site:
        run(["fetch", "--json", site.url])
        asked = site.wait_for(2)

    assert json.loads(capsys.readouterr().out)["outcome"] == "fetched"
    assert [each.path for each in asked] == ["/robots.txt", "/"]


def test_redirects_may_be_left_alone(site: Site, capsys, monkeypatch):
    monkeypatch.setenv("OUTRIDER_FOLLOW_REDIRECTS", "false")

    code = run(["fetch", "--json", f"{site.origins[0]}/go"])

    answer = json.loads(capsys.readouterr().out)
    assert code == 1
    assert (answer["outcome"], answer["reason"], answer["status"]) == (
        "redirected",
        "redirect_not_followed",
        302,
    )
    assert answer["headers"]["location"] == "/page/1"


def test_people_read_the_way_the_answer_and_the_decision(site: Site):
    ran = outrider_here("fetch", f"{site.origins[0]}/go")

    assert ran.code == 0
    for said in (
        "fetched 200",
        "hop 1",
        "302",
        "keep, and follow its links",
        "Page 1 of 127.0.0.2",
        "content-type",
    ):
        assert said in ran.out


def test_what_is_no_web_address_is_one_sentence_and_no_traceback():
    ran = outrider("fetch", "not-a-url")

    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("outrider: 'not-a-url' cannot be crawled: it has no scheme")
    assert ran.err.count("\n") == 1


def test_a_refused_connection_is_an_answer():
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]

    ran = outrider_here("fetch", "--json", f"http://127.0.0.1:{port}/")

    assert ran.code == 1
    assert ran.json["reason"] == "connection_refused"


def test_a_server_that_speaks_no_tls_is_told_with_what_to_do(site: Site):
    ran = outrider_here("fetch", site.url.replace("http:", "https:"))

    assert ran.code == 1
    assert "not_tls: " in ran.out
    assert "does not speak TLS: try http://, or another port" in ran.out


def test_an_inner_address_is_refused_without_a_request(site: Site):
    before = len(site.log())

    ran = outrider_here("fetch", "--json", site.url, settings={"OUTRIDER_ALLOW_PRIVATE": ""})

    assert ran.code == 1
    assert (ran.json["outcome"], ran.json["reason"]) == ("refused", "blocked_address")
    assert len(site.log()) == before
