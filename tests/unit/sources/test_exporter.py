"""Exports: safe to open in a spreadsheet, and readable again."""

import json
from dataclasses import replace

import pytest
from tests.support.sources import watched

from outrider.frontier.model import EntryKind
from outrider.sources.exporter import ExportFormat, written
from outrider.sources.importer import read_import
from outrider.sources.policy import External, Policy

ODD = watched(
    name="=cmd|' /C calc'!A0",
    policy=Policy(max_depth=-1, article_patterns=["/a,b/", '/"c"/']),
    labels=["@home", "b"],
)
CHANNELS = [
    (EntryKind.FEED, "https://blatt.test/1"),
    (EntryKind.FEED, "https://blatt.test/2"),
    (EntryKind.SITEMAP, "https://blatt.test/s"),
]


def test_no_cell_of_a_csv_file_is_a_formula_and_all_of_it_reads_back():
    text = written([(ODD, CHANNELS)], ExportFormat.CSV)

    assert "'=cmd" in text
    assert "'-1" in text
    [candidate] = read_import(text.encode()).candidates
    changes = candidate.changes
    assert (changes.name, changes.labels) == (ODD.name, ["@home", "b"])
    assert changes.policy.applied_to(Policy()) == ODD.policy
    assert list(changes.feeds) == ["https://blatt.test/1", "https://blatt.test/2"]
    assert list(changes.sitemaps) == ["https://blatt.test/s"]


def test_json_says_what_is_not_as_it_is_by_default():
    [said] = json.loads(written([(watched(), CHANNELS)], ExportFormat.JSON))

    assert said == {
        "name": "Das Blatt",
        "url": "https://blatt.test/",
        "mode": "feed",
        "feed": "https://blatt.test/1 https://blatt.test/2",
        "sitemap": "https://blatt.test/s",
    }


@pytest.mark.parametrize("form", ExportFormat)
def test_an_export_reads_back_as_the_same_source(form: ExportFormat):
    full = watched(
        name="Das Blatt & Co. <Berlin>",
        policy=Policy(delay_s=90.0, external=External.FRONTIER, include=["/a|b/"], keep_slash=True),
        selectors={"article": {"title": "h1", "exclude": [".ad", ".nav"]}},
        template="wordpress",
        labels=["news", "berlin"],
        priority=9,
        enabled=False,
        identity_key="crm-7",
        allow_source_discovery=False,
    )

    [candidate] = read_import(written([(full, CHANNELS)], form).encode()).candidates

    assert candidate.problems == ()
    changes = candidate.changes
    new = changes.as_source()
    told = {
        name: getattr(new, name)
        for name in ("name", "url", "mode", "priority", "selectors", "template", "labels", "identity_key")
    }
    assert told == {name: getattr(full, name) for name in told}
    assert new.policy == replace(full.policy, seeds=(full.url,), priority=9)
    assert (changes.enabled, new.allow_source_discovery) == (False, False)
    assert [*changes.feeds, *changes.sitemaps] == [url for _, url in CHANNELS]
