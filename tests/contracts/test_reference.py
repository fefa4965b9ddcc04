"""The generated reference pages say what the code says."""

from pathlib import Path

from outrider.settings import reference

ROOT = Path(__file__).parents[2]


def test_the_settings_page_is_up_to_date():
    page = (ROOT / "docs" / "reference" / "settings.md").read_text()

    assert page == reference(), "run `make docs`"
