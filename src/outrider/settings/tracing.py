"""Whether an error of ours is shown with its traceback: asked even where the settings cannot be loaded."""

import os


def shows_traces() -> bool:
    return os.environ.get("OUTRIDER_LOG_LEVEL", "").lower() == "debug"
