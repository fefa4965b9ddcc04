"""Whether errors are shown with their traceback. Works even if the settings cannot be loaded."""

import os


def shows_traces() -> bool:
    return os.environ.get("OUTRIDER_LOG_LEVEL", "").lower() == "debug"
