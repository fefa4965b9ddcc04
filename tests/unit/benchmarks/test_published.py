"""The cases that linkchecker publishes: which are taken, and how a program is judged by them."""

from pathlib import Path

from benchmarks.published import Said, judge
from benchmarks.published_cases import DATA, PublishedCase, PublishedLink, read_cases

FOLDER = Path("/cases")
FILE_CASE = """\
url file://%(curdir)s/%(datadir)s/a.html
real url file://%(curdir)s/%(datadir)s/a.html
valid

url javascript:x()
real url javascript:x()
valid

url b%%20c.html#x
real url file://%(curdir)s/%(datadir)s/b%%20c.html#x
warning Anchor `x' not found.
valid
"""
SERVED_CASE = """\
url http://localhost:%(port)d/%(datadir)s/s.html
real url http://localhost:%(port)d/%(datadir)s/s.html
valid
# a remark
url gone
real url http://localhost:%(port)d/gone
error
"""
ELSEWHERE = "url http://shop.test/\nreal url http://shop.test/\nvalid\n"


def test_pages_that_stay_on_this_machine_are_taken():
    files = {
        f"{DATA}/a.html.result": FILE_CASE.encode(),
        f"{DATA}/s.html.result": SERVED_CASE.encode(),
        f"{DATA}/e.html.result": ELSEWHERE.encode(),
        f"{DATA}/file.css.result": FILE_CASE.encode(),
    }
    cases, left_out = read_cases(files, FOLDER, 81)
    pages = [case for case in cases if not case.by_address]

    assert left_out == 1
    assert [(case.page, list(case.links)) for case in pages] == [
        (
            f"/cases/{DATA}/a.html",
            [PublishedLink("b%20c.html#x", f"file:///cases/{DATA}/b c.html#x", True)],
        ),
        (f"http://localhost:81/{DATA}/s.html", [PublishedLink("gone", "http://localhost:81/gone", True)]),
    ]


def test_a_verdict_is_judged_by_the_case():
    broken, working = ("a", "b", "c", "d"), ("e", "f", "g", "h")
    links = [PublishedLink(each, each, each in broken) for each in (*broken, *working)]
    verdicts = {"a": "dead", "b": "ok", "c": "uncertain", "e": "dead", "f": "moved", "g": "uncertain"}
    answers = {name: Said(verdict, "") for name, verdict in {**verdicts, "other": "dead"}.items()}

    judged = judge(PublishedCase("case", "page", links), answers)

    assert {each.link: each.outcome for each in judged} == {
        "a": "agree",
        "b": "missed",
        "c": "undecided",
        "d": "missed",
        "e": "false alarm",
        "f": "agree",
        "g": "undecided",
        "h": "not read",
        "other": "false alarm",
    }
