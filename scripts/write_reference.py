"""Write the generated pages of docs/reference; a contract test compares them with the code."""

from pathlib import Path

from outrider.settings import reference

ROOT = Path(__file__).resolve().parent.parent

(ROOT / "docs" / "reference" / "settings.md").write_text(reference())
