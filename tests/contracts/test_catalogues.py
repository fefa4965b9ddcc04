"""Reasons, outcomes and counters have one catalogue each: code, SQL, schema and docs use its names."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import outrider
from outrider.cli.names_reference import SECTIONS, reference, shown
from outrider.crawl.admission.skip_reason import SkipReason, dead_reason_of
from outrider.db import schema
from outrider.described import DescribedName
from outrider.extract.article.page_type import PageType
from outrider.extract.article.quality import Unindexed
from outrider.fetch.outcome import Failure, Refusal
from outrider.frontier.counter_name import CounterName, CounterPrefix
from outrider.frontier.dead_reason import DeadReason, DeadReasonPrefix
from outrider.frontier.retry_reason import RetryReason, RetryReasonPrefix

ROOT = Path(__file__).parents[2]
SOURCE = Path(outrider.__file__).parent
SQL = {
    file: file.read_text()
    for file in SOURCE.rglob("*.sql")
    if not file.name.endswith((".down.sql", "schema.sql"))
}

CATALOGUES = {
    "crawl/admission/skip_reason.py",
    "watch/polling/poll_errors.py",
    "fetch/outcome.py",
    "fetch/outcome_name.py",
    "frontier/counter_name.py",
    "frontier/dead_reason.py",
    "frontier/retry_reason.py",
    "links/reason.py",
    "watch/polling/poll_result.py",
}
# The same word for something else: where it stands, and what it means there.
OTHER_MEANINGS = {
    ("crawl/politeness/fetch_result.py", "robots_blocked"): "how a single fetch ended",
    ("jobs/model.py", "cancelled"): "the state of a job",
    ("jobs/states.py", "cancelled"): "the state of a job",
    ("jobs/transitions.py", "cancelled"): "how a run ended",
    ("object_store/s3_store.py", "timeout"): "an option of the S3 client",
    ("runs/model.py", "timeout"): "what cancelled a run",
    ("runs/model.py", "cancelled"): "the state of a run",
    ("fetch/hops.py", "redirect_loop"): "why a chain of redirects ends",
    ("fetch/hops.py", "redirect_not_followed"): "why a chain of redirects ends",
    ("fetch/hops.py", "too_many_redirects"): "why a chain of redirects ends",
    ("demo/exhibits.py", "trap"): "an exhibit",
    ("cli/commands.py", "redirect"): "the command, or a redirect of an owned site",
    ("cli/redirect/change.py", "gone"): "an answer of 410 on an owned site",
    ("cli/redirect/command.py", "redirect"): "the command, or a redirect of an owned site",
    ("cli/redirect/files.py", "redirect"): "the command, or a redirect of an owned site",
    ("cli/redirect/look.py", "gone"): "an answer of 410 on an owned site",
    ("cli/site/crawled.py", "redirect"): "the command, or a redirect of an owned site",
    ("redirects/formats/apache.py", "gone"): "an answer of 410 on an owned site",
    ("redirects/formats/nginx.py", "gone"): "an answer of 410 on an owned site",
    ("services/sites/redirects.py", "redirect"): "the command, or a redirect of an owned site",
    ("sites/model.py", "gone"): "an answer of 410 on an owned site",
    ("frontier/model.py", "redirect"): "an origin",
    ("simulate/server.py", "trap"): "a part of the simulated web",
    ("web/errors.py", "forbidden"): "the code of an error of the API",
    ("web/errors.py", "not_found"): "the code of an error of the API",
    ("web/errors.py", "too_large"): "the code of an error of the API",
    ("web/middleware/request_limits.py", "timeout"): "the code of an error of the API",
    ("watch/polling/hops.py", "forbidden"): "what a redirect of a feed came to",
}


def literals() -> Iterator[tuple[str, str]]:
    """Every string of the code besides the catalogues, with its file."""
    for path in SOURCE.rglob("*.py"):
        file = str(path.relative_to(SOURCE))
        if file not in CATALOGUES:
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    yield file, node.value


def test_no_reason_is_spelled_out_besides_its_catalogue():
    names = {*DeadReason, *RetryReason, *Failure, *Refusal}
    prefixes = (*DeadReasonPrefix, RetryReasonPrefix.HTTP_STATUS + "4")

    spelled = {
        (file, text)
        for file, text in literals()
        if text in names or (" " not in text and text.startswith(prefixes))
    }
    assert spelled - set(OTHER_MEANINGS) == set()
    assert set(OTHER_MEANINGS) - spelled == set(), "the exception is not needed any more"


def test_no_counter_is_named_besides_its_catalogue():
    """Names with a dot cannot mean anything else; those without are checked where counting happens."""
    dotted = {name for name in CounterName if "." in name}
    groups = tuple(CounterPrefix)

    spelled = {
        (file, text)
        for file, text in literals()
        if text in dotted or (re.fullmatch(r"[a-z_.]+\.[a-z_0-9]*", text) and text.startswith(groups))
    }
    assert spelled == set()


def test_counting_takes_names_from_the_catalogue():
    counted_by_text = [
        f"{path.relative_to(SOURCE)}:{node.lineno}"
        for path in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("count", "since_start", "counted")
        and any(isinstance(each, ast.JoinedStr) or _is_text(each) for each in node.args[1:])
    ]

    assert counted_by_text == []


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def test_sql_names_only_reasons_of_the_catalogue():
    named = {
        word
        for text in SQL.values()
        for found in re.finditer(r"\breason\s*(?:=|<>|IN)\s*(\([^)]*\)|'[^']*')", text)
        for word in re.findall(r"'([^']*)'", found[1])
    }

    assert len(named) >= 6, "the pattern finds no reasons any more"
    assert named - {*DeadReason, *RetryReason} == set()


def test_sql_counts_only_under_names_of_the_catalogue():
    named, groups = set(), set()
    for text in SQL.values():
        for statement in text.split("-- name:"):
            if "INTO counter" in statement or "AS delta" in statement:
                named |= set(re.findall(r"(?:source_id|\b0|\b0 AS source_id),\s+'(\w+)'", statement))
                for names in re.findall(r"ARRAY\[('[^\]]*)\]|(THEN '\w+' ELSE '\w+') END", statement):
                    named |= set(re.findall(r"'(\w+)'", "".join(names)))
                groups |= set(re.findall(r"'(\w+\.)' \|\|", statement))

    assert {CounterName.PENDING, CounterName.DOCUMENTS, CounterName.NEAR_DUPLICATES} <= named
    assert named - set(CounterName) == set()
    assert groups == {CounterPrefix.DEAD}


@pytest.mark.parametrize(
    ("constraint", "names"), [("document_unindexed_check", Unindexed), ("document_page_type_check", PageType)]
)
def test_the_schema_allows_the_names_of_the_catalogue(constraint: str, names: type):
    [allowed] = re.findall(rf"CONSTRAINT {constraint} CHECK \((.*)\),?\n", schema.written())

    assert set(re.findall(r"'(\w+)'", allowed)) == set(names)


def test_every_name_has_a_sentence_and_stands_on_the_page():
    page = (ROOT / "docs" / "reference" / "names.md").read_text()

    assert page == reference(), "run `make docs`"
    for _, names in SECTIONS.values():
        for name in names:
            assert name.sentence
            assert f"| `{shown(name)}` | {name.sentence} |" in page


def test_the_page_has_every_catalogue():
    shown_classes = {type(name) for _, names in SECTIONS.values() for name in names}

    assert set(DescribedName.__subclasses__()) - shown_classes == set()


def test_a_queued_url_that_the_rules_exclude_dies_of_a_reason_of_the_catalogue():
    at_a_visit = {"scope", "binary_url", "asset_url", "action_url", "share_url", "trap"}

    assert {dead_reason_of(SkipReason(name)) for name in at_a_visit} <= set(DeadReason)


def test_a_failure_that_is_not_tried_again_is_a_dead_reason():
    permanent = [failure for failure in Failure if not failure.is_transient]

    assert permanent
    assert {*permanent, *Refusal} <= set(DeadReason)
