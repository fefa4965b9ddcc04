"""The default data directory."""

import os
from pathlib import Path

from platformdirs import user_data_path

SYSTEM_DATA_DIR = Path("/var/lib/outrider")


def default_data_dir() -> Path:
    """The platform's directory for user data; for root, one that its database user can reach."""
    if os.geteuid() == 0:
        return SYSTEM_DATA_DIR
    return user_data_path("outrider", appauthor=False)
