"""Imports the code of workers where they are forked. A worker that is forked without it reports the error."""

from contextlib import suppress

with suppress(Exception):
    import outrider.workers.process  # noqa: F401
