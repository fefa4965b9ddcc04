"""Write the generated pages of docs/reference; a contract test compares them with the code."""

from pathlib import Path

from outrider.cli.names_reference import reference as names
from outrider.cli.reference import reference as commands
from outrider.services.metrics.reference import reference as metrics
from outrider.settings import reference as settings
from outrider.web.api_reference import reference as api

ROOT = Path(__file__).resolve().parent.parent

(ROOT / "docs" / "reference" / "settings.md").write_text(settings())
(ROOT / "docs" / "reference" / "cli.md").write_text(commands())
(ROOT / "docs" / "reference" / "names.md").write_text(names())
(ROOT / "docs" / "reference" / "metrics.md").write_text(metrics())
(ROOT / "docs" / "reference" / "api.md").write_text(api())
