"""Results for CI systems."""

from datetime import UTC, datetime
from xml.etree import ElementTree

from outrider.cli.check.github import annotations
from outrider.cli.check.junit import junit
from outrider.links.checked import CheckedLink, CheckSummary
from outrider.links.evidence import Judgement, Verdict
from outrider.links.files.model import FilePlace
from outrider.links.reason import LinkReason

NOW = datetime(2026, 3, 4, tzinfo=UTC)
PLACE = (FilePlace("docs/a,b.md", 7),)
SUMMARY = CheckSummary(
    (
        CheckedLink(
            "http://a.test/%0A\x07", Judgement(Verdict.DEAD, LinkReason.NOT_FOUND, 404), NOW, places=PLACE
        ),
        CheckedLink("http://b.test/", Judgement(Verdict.UNCERTAIN, LinkReason.NO_ANSWER), NOW),
        CheckedLink("http://c.test/", Judgement(Verdict.OK, LinkReason.ANSWERS, 200), NOW),
    ),
    1.5,
)


def test_junit_counts_dead_as_failed_and_uncertain_as_skipped():
    [suite] = ElementTree.fromstring(junit(SUMMARY).partition("\n")[2])

    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("3", "1", "1")
    dead, uncertain, ok = suite
    assert (dead.get("file"), dead.get("line")) == ("docs/a,b.md", "7")
    assert [child.tag for child in dead] == ["failure"]
    assert [child.tag for child in uncertain] == ["skipped"]
    assert list(ok) == []


def test_annotations_stand_at_the_line_of_the_link():
    first, second, counts = annotations(SUMMARY)

    assert first.startswith("::error file=docs/a%2Cb.md,line=7,title=dead link::http://a.test/%250A")
    assert second.startswith("::warning title=uncertain link::http://b.test/: ")
    assert counts == "3 links: 1 ok, 0 moved, 1 dead, 1 uncertain"
