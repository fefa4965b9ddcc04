"""Imports the code of workers where they are forked. A worker that is forked without it reports the error."""

from contextlib import suppress

from outrider.garbage_collection import collect_rarely, skip_all_objects

collect_rarely()
with suppress(Exception):
    import outrider.workers.process  # noqa: F401
skip_all_objects()
