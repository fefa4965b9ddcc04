"""The set-up scripts stand outside the package: they run before anything is installed."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3] / "scripts"))
