"""The files of deploy/ name metrics, settings and commands that exist."""

import json
import re
from pathlib import Path

from outrider.cli.commands import COMMANDS
from outrider.services.metrics.catalogue import METRICS, MetricKind
from outrider.settings.load import all_declared

DEPLOY = Path(__file__).parents[2] / "deploy"
_METRIC = re.compile(r"\b(?:crawler|outrider)_[a-z_]+\b")


def shown() -> set[str]:
    """The names of all series that Prometheus stores."""
    names = set()
    for each in METRICS:
        is_histogram = each.kind is MetricKind.HISTOGRAM
        names |= {f"{each.name}{end}" for end in (("_bucket", "_sum", "_count") if is_histogram else ("",))}
    return names


def test_the_dashboard_asks_for_metrics_that_exist():
    dashboard = json.loads((DEPLOY / "grafana" / "outrider.json").read_text())
    queries = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]

    assert len(queries) > 15
    assert {name for query in queries for name in _METRIC.findall(query)} - shown() == set()


def test_the_rules_ask_for_metrics_that_exist():
    expressions = re.findall(r"^ +expr: (.+)$", (DEPLOY / "prometheus" / "rules.yml").read_text(), re.M)

    assert len(expressions) > 5
    assert {name for each in expressions for name in _METRIC.findall(each)} - shown() == set()


def test_the_examples_use_settings_and_commands_that_exist():
    known = {each.setting.env for each in all_declared()}
    texts = [file.read_text() for file in DEPLOY.rglob("*") if file.is_file()]

    assert {name for text in texts for name in re.findall(r"OUTRIDER_[A-Z_]+", text)} - known == set()
    assert {name for text in texts for name in re.findall(r"\boutrider (serve|\w+)\n", text)} <= set(COMMANDS)
