"""The generated reference pages say what the code says."""

from pathlib import Path

from outrider.cli.reference import reference as commands
from outrider.settings import reference as settings

ROOT = Path(__file__).parents[2]


def test_the_settings_page_is_up_to_date():
    page = (ROOT / "docs" / "reference" / "settings.md").read_text()

    assert page == settings(), "run `make docs`"


def test_the_page_of_commands_is_up_to_date():
    page = (ROOT / "docs" / "reference" / "cli.md").read_text()

    assert page == commands(), "run `make docs`"
