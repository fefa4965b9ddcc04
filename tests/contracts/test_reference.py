"""The generated reference pages say what the code says."""

import re
from pathlib import Path

import pytest

from outrider.cli.reference import reference as commands
from outrider.db import schema
from outrider.documents.export import TABLES, Table
from outrider.services.metrics.reference import reference as metrics
from outrider.settings import reference as settings

ROOT = Path(__file__).parents[2]


def test_the_settings_page_is_up_to_date():
    page = (ROOT / "docs" / "reference" / "settings.md").read_text()

    assert page == settings(), "run `make docs`"


def test_the_page_of_commands_is_up_to_date():
    page = (ROOT / "docs" / "reference" / "cli.md").read_text()

    assert page == commands(), "run `make docs`"


def test_the_page_of_metrics_is_up_to_date():
    page = (ROOT / "docs" / "reference" / "metrics.md").read_text()

    assert page == metrics(), "run `make docs`"


@pytest.mark.parametrize("table", TABLES.values(), ids=lambda table: table.name)
def test_the_page_of_exports_names_every_column(table: Table):
    page = (ROOT / "docs" / "reference" / "export.md").read_text()
    sections = {part.split("\n")[0].lower(): part for part in page.split("\n## ")}

    assert {column.name for column in table.columns} - set(
        re.findall(r"`(\w+)`", sections[table.name])
    ) == set()


def test_the_page_of_views_names_every_column_of_every_view():
    page = (ROOT / "docs" / "reference" / "views.md").read_text()
    sections = {part.split("\n")[0]: part for part in page.split("\n## ")}
    views = dict(re.findall(r"^CREATE VIEW (\w+) \(\n(.*?)\n\);", schema.written(), re.M | re.S))

    missing = {
        view: columns
        for view, declared in views.items()
        if (columns := set(re.findall(r"^    (\w+)", declared, re.M)) - _named(sections.get(view, "")))
    }
    assert len(views) >= 7
    assert missing == {}


def _named(section: str) -> set[str]:
    return set(re.findall(r"`(\w+)`", section))
